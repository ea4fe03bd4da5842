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

function statement(alternatives: SchemaError, tried: readonly SchemaError[]): readonly SchemaError[] {
  const strangers = new Set(tried.filter(({ keyword }) => keyword === 'const').map(branchOf))
  const named = tried.filter((error) => !strangers.has(branchOf(error)))
  return new Set(named.map(branchOf)).size === 1 ? named : [alternatives]
}

/** Branches are written in place (`anyOf/0/…`) or as definitions (`$defs/…`) outside the one that lists them. */
function isTriedBy(alternatives: SchemaError, error: SchemaError | undefined): boolean {
  if (error === undefined) return false
  const { instancePath, schemaPath } = alternatives
  const isInside = error.instancePath === instancePath || error.instancePath.startsWith(`${instancePath}/`)
  const owner = schemaPath.slice(0, schemaPath.lastIndexOf('/') + 1)
  const isOwn = owner !== '#/' && error.schemaPath.startsWith(owner)
  return (
    isInside &&
    (error.schemaPath.startsWith(`${schemaPath}/`) || (error.schemaPath.startsWith('#/$defs/') && !isOwn))
  )
}

function branchOf({ schemaPath }: SchemaError): string {
  return /^(?:#\/\$defs\/[^/]+|.*?\/(?:anyOf|oneOf)\/\d+)(?=\/)/.exec(schemaPath)?.[0] ?? schemaPath
}
