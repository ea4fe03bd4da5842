import type { SchemaError } from './generated/validators.js'

/**
 * A validator reports the failures of every alternative (`oneOf`, `anyOf`) it tried. What helps is one statement: the
 * failures of the alternative that the document names by its constant (the `type` of a security scheme) or, where it
 * names none, that no alternative matched. Linear: alternatives directly follow the failures inside them.
 */
export function relevantErrors(errors: Iterable<SchemaError>): SchemaError[] {
  const stated: SchemaError[] = []
  for (const error of errors) {
    if (error.schemaPath.includes('/propertyNames/')) continue
    if (error.keyword !== 'oneOf' && error.keyword !== 'anyOf') {
      stated.push(error)
      continue
    }
    let first = stated.length
    while (first > 0 && isTriedBy(error, stated[first - 1])) first--
    stated.push(...statement(error, stated.splice(first)))
  }
  return stated
}

function isTriedBy(alternatives: SchemaError, error: SchemaError | undefined): boolean {
  const isBranch = error?.schemaPath.startsWith(`${alternatives.schemaPath}/`) === true
  return isBranch && `${error.instancePath}/`.startsWith(`${alternatives.instancePath}/`)
}

function statement(alternatives: SchemaError, tried: readonly SchemaError[]): readonly SchemaError[] {
  const branchOf = ({ schemaPath }: SchemaError): string | undefined =>
    schemaPath.slice(alternatives.schemaPath.length).split('/')[1]
  const strangers = new Set(tried.filter(({ keyword }) => keyword === 'const').map(branchOf))
  const named = tried.filter((error) => !strangers.has(branchOf(error)))
  return new Set(named.map(branchOf)).size === 1 ? named : [alternatives]
}
