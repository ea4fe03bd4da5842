/**
 * Makes the next release in a copy of the manifests, as the release job does, and says what would come of it: fails when a changeset
 * names no published package, when a package would be released without a line in its changelog, or a private one at all.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** @typedef {{ name: string, version: string, private?: boolean, dependencies?: Record<string, string> }} Manifest */

const root = join(import.meta.dirname, '..')
const copy = mkdtempSync(join(tmpdir(), 'changesets-'))
const changesets = join(root, 'node_modules', '@changesets', 'cli', 'bin.js')

try {
  const folders = workspaceFolders()
  for (const file of [
    'package.json',
    'pnpm-workspace.yaml',
    '.changeset',
    ...folders.map((folder) => `${folder}/package.json`),
  ])
    cpSync(join(root, file), join(copy, file), { recursive: true })
  const pending = readdirSync(join(copy, '.changeset')).filter(
    (file) => file.endsWith('.md') && file !== 'README.md',
  )
  execFileSync(process.execPath, [changesets, 'version'], {
    cwd: copy,
    stdio: ['ignore', 'ignore', 'inherit'],
  })

  const problems = folders.flatMap((folder) => problemsOf(folder))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  else console.log(`${pending.length} changesets would make this release`)
} finally {
  rmSync(copy, { recursive: true })
}

/** @param {string} folder @returns {string[]} */
function problemsOf(folder) {
  const before = manifestIn(root, folder)
  const after = manifestIn(copy, folder)
  const changelog = join(copy, folder, 'CHANGELOG.md')
  if (before.private === true) {
    return after.version === before.version && !existsSync(changelog)
      ? []
      : [`${folder} is private and would get a version`]
  }
  if (after.version === before.version) return []
  const entry = existsSync(changelog) ? readFileSync(changelog, 'utf8') : ''
  const lines = entry.split('\n').filter((line) => line.startsWith('- '))
  console.log(`${after.name} ${before.version} -> ${after.version}, ${lines.length} lines`)
  return lines.length > 0 && entry.includes(`## ${after.version}`)
    ? []
    : [`${folder} would be released without a line in its changelog`]
}

/** @param {string} place @param {string} folder @returns {Manifest} */
function manifestIn(place, folder) {
  return JSON.parse(readFileSync(join(place, folder, 'package.json'), 'utf8'))
}

function workspaceFolders() {
  const groups = ['packages', 'apps', 'internal'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}`),
  )
  return [...groups, 'bench'].filter((folder) => existsSync(join(root, folder, 'package.json')))
}
