/** Reads the tables of Markdown as rows by the name of their column. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './project.js'

/** @typedef {ReadonlyMap<string, string>} Row cells by the header of their column, in order */

/**
 * All tables of the texts of a package.
 * @param {import('./project.js').Package} one
 * @returns {Row[]}
 */
export function packageTables({ folder, texts }) {
  return ['README.md', ...texts.map((text) => `docs/${text}.md`)].flatMap((file) =>
    tableRows(readFileSync(join(projectRoot, 'packages', folder, file), 'utf8')),
  )
}

/**
 * @param {string} markdown
 * @returns {Row[]}
 */
export function tableRows(markdown) {
  return [...markdown.matchAll(/^\|.*\|\n\|[ :|-]+\|\n(?:\|.*\|\n?)+/gm)].flatMap(([table]) => {
    const [header = [], , ...rows] = table.trimEnd().split('\n').map(cellsOf)
    return rows.map((cells) => new Map(header.map((name, index) => [name, cells[index] ?? ''])))
  })
}

/** @param {string} line */
function cellsOf(line) {
  return line
    .replaceAll(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}

/**
 * What stands in backticks in a cell.
 * @param {string} cell
 */
export function codesIn(cell) {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}
