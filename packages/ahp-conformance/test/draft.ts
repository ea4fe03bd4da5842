/** A document that a fault may change anywhere. */
export type Draft = Record<string, unknown>

/** What lies at a path of members; undefined where it ends early. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (place, name) => (place as Record<string | number, unknown> | null | undefined)?.[name],
    value,
  )
}

/** Puts a value at a path such as `meta.content_type`, or takes away what is there. */
export function put(document: unknown, path: string, value?: unknown): void {
  const names = path.split('.')
  const place = at(document, ...names.slice(0, -1)) as Draft
  const name = names.at(-1) ?? ''
  if (value === undefined) Reflect.deleteProperty(place, name)
  else place[name] = value
}

/** The same as a change that is made later. */
export function set(path: string, value?: unknown): (document: unknown) => void {
  return (document) => {
    put(document, path, value)
  }
}
