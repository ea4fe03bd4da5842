/** What is documented: the packages, their entries and commands, by what their manifests say. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} Package
 * @property {string} folder
 * @property {string} name
 * @property {string} description
 * @property {string} version
 * @property {readonly Command[]} commands
 * @property {readonly Entry[]} entries
 * @property {readonly string[]} texts Markdown files under `docs/`, without the extension.
 *
 * @typedef {{ readonly name: string, readonly file: string }} Command
 * @typedef {{ readonly specifier: string, readonly types: string }} Entry
 */

export const projectRoot = join(import.meta.dirname, '../../..')

/** @type {readonly Package[]} */
export const packages = readdirSync(join(projectRoot, 'packages')).map(readPackage)

/**
 * @param {string} folder
 * @returns {Package}
 */
function readPackage(folder) {
  const path = join(projectRoot, 'packages', folder)
  const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const texts = join(path, 'docs')
  return {
    folder,
    name: manifest.name,
    description: manifest.description,
    version: manifest.version,
    commands: Object.entries(manifest.bin ?? {}).map(([name, file]) => ({ name, file: join(path, file) })),
    entries: Object.entries(manifest.exports).flatMap(([subpath, target]) => {
      const types = typesOf(target)
      return types === undefined
        ? []
        : [{ specifier: `${manifest.name}${subpath.slice(1)}`, types: join(path, types) }]
    }),
    texts: existsSync(texts) ? readdirSync(texts).map((file) => file.replace(/\.md$/, '')) : [],
  }
}

/**
 * The declaration file of one export, under whatever condition.
 * @param {unknown} target
 * @returns {string | undefined}
 */
function typesOf(target) {
  if (typeof target === 'string') return target.endsWith('.d.ts') ? target : undefined
  if (typeof target !== 'object' || target === null) return undefined
  return Object.values(target)
    .map(typesOf)
    .find((types) => types !== undefined)
}
