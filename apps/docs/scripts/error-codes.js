/** The codes of all errors: which there are by the declarations, what each means by the texts of its package. */
import { join } from 'node:path'
import ts from 'typescript'
import { codesIn, packageTables } from './markdown-tables.js'
import { packages, projectRoot } from './project.js'

/**
 * @typedef {{ readonly code: string, readonly unions: readonly string[], readonly meaning: string | undefined }} ErrorCode
 * @typedef {{ readonly package: import('./project.js').Package, readonly codes: readonly ErrorCode[] }} PackageErrors
 */

/**
 * @param {ts.Program} program
 * @returns {PackageErrors[]}
 */
export function errorCodes(program) {
  return packages
    .map((one) => {
      const meanings = meaningsOf(one)
      const codes = [...unionsOf(one, program)].map(([code, { unions, comment }]) => ({
        code,
        unions,
        meaning: meanings.get(code) ?? comment,
      }))
      return { package: one, codes: codes.sort((a, b) => (a.code < b.code ? -1 : 1)) }
    })
    .filter(({ codes }) => codes.length > 0)
}

/**
 * Each code of an exported `…ErrorCode`, `…WarningCode` or `FatalCode`, with the names of these types, as far as the package declares them itself.
 * @param {import('./project.js').Package} one
 * @param {ts.Program} program
 */
function unionsOf(one, program) {
  const checker = program.getTypeChecker()
  const home = join(projectRoot, 'packages', one.folder, '/')
  /** @type {Map<string, { unions: string[], comment: string | undefined }>} */
  const found = new Map()
  for (const { types } of one.entries) {
    const file = program.getSourceFile(types)
    const module = file && checker.getSymbolAtLocation(file)
    for (const symbol of module ? checker.getExportsOfModule(module) : []) {
      if (!/(Error|Warning|Fatal)Code$/.test(symbol.name)) continue
      const origin = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      if (!origin.declarations?.[0]?.getSourceFile().fileName.startsWith(home)) continue
      const type = checker.getDeclaredTypeOfSymbol(origin)
      const comments = commentsOf(ts.displayPartsToString(origin.getDocumentationComment(checker)))
      for (const member of type.isUnion() ? type.types : [type]) {
        if (!member.isStringLiteral()) continue
        const { unions = [], comment = comments.get(member.value) } = found.get(member.value) ?? {}
        if (!unions.includes(symbol.name))
          found.set(member.value, { unions: [...unions, symbol.name], comment })
      }
    }
  }
  return found
}

/**
 * A union may say of its members what they mean, each in a line of a list.
 * @param {string} comment
 * @returns {ReadonlyMap<string, string>}
 */
function commentsOf(comment) {
  return new Map(
    [...comment.matchAll(/^- `(\w+)`: (.+?)\.?$/gm)].map(
      ([, code, meaning]) => /** @type {[string, string]} */ ([code, meaning]),
    ),
  )
}

/**
 * What the tables with a column of codes say of each.
 * @param {import('./project.js').Package} one
 */
function meaningsOf(one) {
  /** @type {Map<string, string>} */
  const meanings = new Map()
  for (const row of packageTables(one)) {
    const column = [...row.keys()].find((name) => COLUMNS.includes(name.replaceAll('`', '')))
    if (column === undefined) continue
    const codes = codesIn(row.get(column) ?? '')
    const told = new Map([...row].filter(([name]) => name !== column))
    for (const [index, code] of codes.entries()) {
      const cells = [...told].map(([name, cell]) => {
        const text = shareOf(cell, index, codes.length)
        return name === 'when' || name === 'refused' ? text : `${name}: ${text}`
      })
      if (!meanings.has(code)) meanings.set(code, cells.reverse().join('; '))
    }
  }
  return meanings
}

/** The codes of errors, and of the warnings of a run. */
const COLUMNS = ['code', 'warning']

/**
 * A row for several codes says in clauses what each means, in their order, and what holds of all in one more.
 * @param {string} cell
 * @param {number} index of the code
 * @param {number} count of the codes
 */
export function shareOf(cell, index, count) {
  const clauses = cell.split('; ')
  if (count === 1 || clauses.length < count || clauses.length > count + 1) return cell
  return [clauses[index], ...clauses.slice(count)].join('; ')
}
