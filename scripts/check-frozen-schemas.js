// Released schemas never change: schemas/frozen.json holds the SHA-256 of every released file.
//
//   node scripts/check-frozen-schemas.js         verify; exit 1 naming each file that differs or is gone
//   node scripts/check-frozen-schemas.js --add   record the files that are not listed yet

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** @typedef {{ file: string, problem: 'changed' | 'missing' }} FrozenSchemaProblem */

/**
 * Compares every listed schema with its recorded hash.
 *
 * @param {string} directory the folder that holds frozen.json
 * @returns {FrozenSchemaProblem[]} in the order of frozen.json; empty when all is well
 */
export function checkFrozenSchemas(directory) {
  /** @type {FrozenSchemaProblem[]} */
  const problems = []
  for (const [file, hash] of Object.entries(readFrozenHashes(directory))) {
    const path = join(directory, file)
    if (!existsSync(path)) problems.push({ file, problem: 'missing' })
    else if (hashOf(path) !== hash) problems.push({ file, problem: 'changed' })
  }
  return problems
}

/**
 * Records the hash of every `*.schema.json` file that frozen.json does not list. Recorded hashes stay as they are.
 *
 * @param {string} directory the folder that holds frozen.json
 * @returns {string[]} the files added
 */
export function addFrozenSchemas(directory) {
  const frozen = readFrozenHashes(directory)
  const added = listSchemas(directory).filter((file) => !Object.hasOwn(frozen, file))
  for (const file of added) frozen[file] = hashOf(join(directory, file))
  const sorted = Object.fromEntries(Object.entries(frozen).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(join(directory, 'frozen.json'), `${JSON.stringify(sorted, null, 2)}\n`)
  return added
}

/**
 * @param {string} directory
 * @returns {string[]} paths relative to the folder, with forward slashes
 */
function listSchemas(directory) {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.schema.json'))
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
}

/**
 * @param {string} directory
 * @returns {Record<string, string>}
 */
function readFrozenHashes(directory) {
  const path = join(directory, 'frozen.json')
  if (!existsSync(path)) return {}
  return /** @type {Record<string, string>} */ (JSON.parse(readFileSync(path, 'utf8')))
}

/** @param {string} path */
function hashOf(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** @param {readonly string[]} args */
function main(args) {
  const directory = fileURLToPath(new URL('../schemas', import.meta.url))
  if (args.includes('--add')) {
    for (const file of addFrozenSchemas(directory)) console.log(`frozen: ${file}`)
    return
  }
  for (const { file, problem } of checkFrozenSchemas(directory)) {
    console.error(`${file}: a released schema is ${problem}; publish a new version instead`)
    process.exitCode = 1
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  main(process.argv.slice(2))
}
