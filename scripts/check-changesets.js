/**
 * Makes the next release in a copy of the manifests, as the release job does, and says what would come of it: fails when a changeset
 * names no published package, when one that breaks something does not say how to move, when a package would be released without a
 * line in its changelog, or a private one at all.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import parseChangeset from '@changesets/parse'

/** @typedef {{ name: string, version: string, private?: boolean, dependencies?: Record<string, string> }} Manifest */

const projectRoot = join(import.meta.dirname, '..')
const changesets = join(projectRoot, 'node_modules', '@changesets', 'cli', 'bin.js')

/** What somebody who upgrades had written, and what they write now. */
const WAY_TO_MOVE = /^Before:\s+\S[^]*^After:\s+\S/m

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { lines, problems } = checkRelease(projectRoot)
  for (const line of lines) console.log(line)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}

/**
 * @param {string} root folder of a workspace
 * @returns {{ lines: string[], problems: string[] }} what would be released, and what is wrong with it
 */
export function checkRelease(root) {
  const copy = mkdtempSync(join(tmpdir(), 'changesets-'))
  try {
    const folders = workspaceFolders(root)
    const manifests = folders.map((folder) => `${folder}/package.json`)
    for (const file of ['package.json', 'pnpm-workspace.yaml', '.changeset', ...manifests])
      cpSync(join(root, file), join(copy, file), { recursive: true })
    const pending = pendingChangesets(root)
    execFileSync(process.execPath, [changesets, 'version'], {
      cwd: copy,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const released = folders.map((folder) => releaseOf(folder, root, copy))
    const lines = [
      ...released.flatMap(({ line }) => line),
      `${pending.length} changesets would make this release`,
    ]
    return {
      lines,
      problems: [...pending.flatMap(changesetProblems), ...released.flatMap(({ problems }) => problems)],
    }
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/** @param {string} root */
function pendingChangesets(root) {
  const folder = join(root, '.changeset')
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
}

/**
 * @param {{ file: string, text: string }} changeset
 * @returns {string[]} why this changeset cannot be released
 */
export function changesetProblems({ file, text }) {
  const { releases, summary } = parseChangeset(text)
  const breaks = releases.some(({ type }) => type === 'major')
  if (!breaks || WAY_TO_MOVE.test(summary)) return []
  return [
    `.changeset/${file} breaks something and does not say how to move: a line "Before:", then one "After:"`,
  ]
}

/**
 * @param {string} folder
 * @param {string} root
 * @param {string} copy
 * @returns {{ line: string[], problems: string[] }}
 */
function releaseOf(folder, root, copy) {
  const before = manifestIn(root, folder)
  const after = manifestIn(copy, folder)
  const changelog = join(copy, folder, 'CHANGELOG.md')
  if (before.private === true) {
    const stays = after.version === before.version && !existsSync(changelog)
    return { line: [], problems: stays ? [] : [`${folder} is private and would get a version`] }
  }
  if (after.version === before.version) return { line: [], problems: [] }
  const entry = existsSync(changelog) ? readFileSync(changelog, 'utf8') : ''
  const count = entry.split('\n').filter((line) => line.startsWith('- ')).length
  return {
    line: [`${after.name} ${before.version} -> ${after.version}, ${count} lines`],
    problems:
      count > 0 && entry.includes(`## ${after.version}`)
        ? []
        : [`${folder} would be released without a line in its changelog`],
  }
}

/** @param {string} place @param {string} folder @returns {Manifest} */
function manifestIn(place, folder) {
  return JSON.parse(readFileSync(join(place, folder, 'package.json'), 'utf8'))
}

/** @param {string} root */
function workspaceFolders(root) {
  const groups = ['packages', 'apps', 'internal']
    .filter((group) => existsSync(join(root, group)))
    .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`))
  return [...groups, 'bench'].filter((folder) => existsSync(join(root, folder, 'package.json')))
}
