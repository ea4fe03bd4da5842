/** So many of the names that there are get told. */
const MAX_TOLD = 20

/** A message for each type that the caller asks for and the index does not list. */
export function unknownTypes(
  wanted: readonly string[] | undefined,
  sitemaps: readonly { readonly type: string }[],
): string[] {
  const there = new Set(sitemaps.map(({ type }) => type))
  return unknown(wanted ?? [], there).map(
    (type) => `The index lists no type ${type}; it lists ${listOf(there)}`,
  )
}

/** A message for each security scheme that the caller has credentials for and the manifest does not declare. */
export function unknownSchemes(wanted: readonly string[], declared: readonly string[]): string[] {
  const there = new Set(declared)
  return unknown(wanted, there).map(
    (id) => `The manifest declares no security scheme ${id}; it declares ${listOf(there)}`,
  )
}

function unknown(wanted: readonly string[], there: ReadonlySet<string>): string[] {
  return [...new Set(wanted)]
    .filter((name) => !there.has(name))
    .map((name) => JSON.stringify(name.slice(0, 60)))
}

function listOf(names: ReadonlySet<string>): string {
  if (names.size === 0) return 'none'
  const told = [...names].slice(0, MAX_TOLD).join(', ')
  return names.size > MAX_TOLD ? `${told} and ${names.size - MAX_TOLD} more` : told
}
