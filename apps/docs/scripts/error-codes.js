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
      const codes = [...unionsOf(one, program)].map(([code, unions]) => ({
        code,
        unions,
        meaning: meanings.get(code),
      }))
      return { package: one, codes: codes.sort((a, b) => (a.code < b.code ? -1 : 1)) }
    })
    .filter(({ codes }) => codes.length > 0)
}

/**
 * Each code of an exported `…ErrorCode`, with the names of these types, as far as the package declares them itself.
 * @param {import('./project.js').Package} one
 * @param {ts.Program} program
 */
function unionsOf(one, program) {
  const checker = program.getTypeChecker()
  const home = join(projectRoot, 'packages', one.folder, '/')
  /** @type {Map<string, string[]>} */
  const found = new Map()
  for (const { types } of one.entries) {
    const file = program.getSourceFile(types)
    const module = file && checker.getSymbolAtLocation(file)
    for (const symbol of module ? checker.getExportsOfModule(module) : []) {
      if (!symbol.name.endsWith('ErrorCode')) continue
      const origin = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      if (!origin.declarations?.[0]?.getSourceFile().fileName.startsWith(home)) continue
      const type = checker.getDeclaredTypeOfSymbol(origin)
      for (const member of type.isUnion() ? type.types : [type]) {
        if (!member.isStringLiteral()) continue
        const unions = found.get(member.value) ?? []
        if (!unions.includes(symbol.name)) found.set(member.value, [...unions, symbol.name])
      }
    }
  }
  return found
}

/**
 * What the tables with a column `code` say of each code.
 * @param {import('./project.js').Package} one
 */
function meaningsOf(one) {
  /** @type {Map<string, string>} */
  const meanings = new Map()
  for (const row of packageTables(one)) {
    const column = [...row.keys()].find((name) => name.replaceAll('`', '') === 'code')
    if (column === undefined) continue
    const rest = [...row].filter(([name]) => name !== column)
    const meaning = rest
      .map(([name, cell]) => (name === 'when' || name === 'refused' ? cell : `${name}: ${cell}`))
      .reverse()
      .join('; ')
    for (const code of codesIn(row.get(column) ?? '')) if (!meanings.has(code)) meanings.set(code, meaning)
  }
  return meanings
}
