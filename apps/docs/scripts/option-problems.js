/** Options of which nobody is told the unit or what happens without them. */
import { ReflectionKind } from 'typedoc'
import { codesIn, packageTables } from './markdown-tables.js'
import { packages } from './project.js'

/** Interfaces that a caller fills in. */
const OPTIONS = /(?<!Error)(Options|Config)$/
/** A number whose name says of what it is. */
const UNIT_IN_NAME =
  /(Ms|Seconds|Bytes|Tokens|Characters|Length|Port|port|Size|Status|rate|Rate)$|^(max|min)[A-Z]|[cC]oncurrency/
const UNIT_IN_TEXT =
  /millisecond|second|byte|character|token|request|times|attempt|port|how (many|often)|records|entities|number of|levels/i
const DEFAULT_IN_TEXT =
  /[Dd]efault|[Rr]equired|[Ww]ithout (it|them|one)|[Nn]one\b|[Nn]ot given|if given|in tests/

/**
 * @param {import('typedoc').ProjectReflection} project
 * @returns {string[]}
 */
export function optionProblems(project) {
  const told = new Map(packages.map((one) => [one.folder, toldInTables(one)]))
  const interfaces = project
    .getReflectionsByKind(ReflectionKind.Interface)
    .filter((reflection) => OPTIONS.test(reflection.name))
  return interfaces.flatMap((reflection) => {
    if (!reflection.isDeclaration()) return []
    const options = reflection
    const module = options.parent?.name ?? ''
    const tables = told.get(module.split('/')[0] ?? '') ?? new Map()
    return optionsIn(options).flatMap(({ option, path }) => {
      const text = textOf(option)
      const row = tables.get(option.name)
      const where = `${module}: ${options.name}.${path}`
      const problems = []
      const isListener = /^on[A-Z]/.test(option.name)
      if (row === undefined && !isListener && !DEFAULT_IN_TEXT.test(text))
        problems.push(`${where} has no default`)
      const isNumber = option.type?.toString().split(' | ').includes('number') ?? false
      const unit = UNIT_IN_NAME.test(option.name) || UNIT_IN_TEXT.test(`${text} ${row ?? ''}`)
      if (isNumber && !unit) problems.push(`${where} has no unit`)
      return problems
    })
  })
}

/**
 * The members that a caller may leave out, and those of the objects among them, as `retry.maxAttempts`. What another interface
 * of options has is told there.
 * @param {import('typedoc').DeclarationReflection} options
 * @param {string} [prefix]
 * @returns {{ readonly option: import('typedoc').DeclarationReflection, readonly path: string }[]}
 */
function optionsIn(options, prefix = '') {
  return (options.children ?? []).flatMap((option) => {
    const path = prefix + option.name
    if (!option.flags.isOptional || isToldElsewhere(option)) return []
    const { type } = option
    const inner = type?.type === 'reflection' ? optionsIn(type.declaration, `${path}.`) : []
    return [{ option, path }, ...inner]
  })
}

/** @param {import('typedoc').DeclarationReflection} option */
function isToldElsewhere({ inheritedFrom }) {
  const [owner = ''] = inheritedFrom?.name.split('.') ?? []
  return OPTIONS.test(owner)
}

/** @param {import('typedoc').DeclarationReflection} option */
function textOf(option) {
  const comments = [option.comment, ...(option.signatures ?? []).map((signature) => signature.comment)]
  return comments.map((comment) => comment?.summary.map((part) => part.text).join('') ?? '').join(' ')
}

/**
 * The options in the tables of a package, with their rows: a column `default` says what happens without one.
 * @param {import('./project.js').Package} one
 * @returns {Map<string, string>}
 */
function toldInTables(one) {
  return new Map(
    packageTables(one)
      .filter((row) => row.has('default'))
      .flatMap((row) => {
        const [first = ''] = row.values()
        const text = [...row.values()].join(' ')
        return codesIn(first).map((name) => /** @type {[string, string]} */ ([lastPart(name), text]))
      }),
  )
}

/**
 * `sessions.idleMs` is the option `idleMs`, `verify(credential)` is `verify`.
 * @param {string} name
 */
function lastPart(name) {
  return name.replace(/\(.*/, '').replace(/:.*/, '').split('.').at(-1) ?? name
}
