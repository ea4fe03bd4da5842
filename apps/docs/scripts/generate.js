/** Writes `site/reference`: what the code, the specifications and the packages say of themselves. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadApi } from './api-model.js'
import { apiPages } from './api-pages.js'
import { benchmarkPages } from './benchmark-pages.js'
import { cliPages } from './cli-pages.js'
import { errorCodes } from './error-codes.js'
import { errorPage } from './error-page.js'
import { optionProblems } from './option-problems.js'
import { packagePages } from './package-pages.js'
import { packages } from './project.js'
import { projectPages } from './project-pages.js'
import { specPages } from './spec-pages.js'

const site = join(import.meta.dirname, '../site')
const api = await loadApi()
const errors = errorCodes(api.program)

const problems = [
  ...api.problems,
  ...optionProblems(api.project),
  ...errors.flatMap(({ package: { folder }, codes }) =>
    codes
      .filter(({ meaning }) => !meaning)
      .map(({ code }) => `${folder}: no table explains the code ${code}`),
  ),
  ...errors.flatMap(({ package: { folder }, codes }) =>
    codes
      .filter(({ meaning }, index) => codes.findIndex((other) => other.meaning === meaning) < index)
      .map(({ code }) => `${folder}: the code ${code} means the same as another`),
  ),
]
if (problems.length > 0) {
  console.error(problems.join('\n'))
  console.error(`${problems.length} problems`)
  process.exitCode = 1
}

rmSync(join(site, 'reference'), { recursive: true, force: true })
const pages = [
  ...packagePages(),
  ...specPages(),
  ...(await cliPages()),
  ...(await apiPages(api)),
  errorPage(errors),
  ...benchmarkPages(),
  ...projectPages(),
]
for (const { path, text } of pages) write(path, text)
write('reference/packages.json', JSON.stringify(packages.map(sidebarFacts), null, 2))

/**
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  const file = join(site, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/**
 * What the navigation needs of a package.
 * @param {import('./project.js').Package} one
 */
function sidebarFacts({ folder, texts, entries, commands }) {
  return {
    folder,
    texts,
    entries: entries.map(({ specifier }) => specifier.replace('@doorplate/', '')),
    commands: commands.map(({ name }) => name),
  }
}
