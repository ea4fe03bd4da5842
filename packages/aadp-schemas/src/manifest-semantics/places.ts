import { pointerTo } from '../json-pointer.js'

export interface Place {
  readonly path: string
  readonly value: unknown
}

/** Own members only: `constructor` in a document is a name like any other. */
export function member(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// A pattern is a JSON Pointer in which `*` stands for every item or member.
/** The values at a place pattern such as `/links/profiles`, with their pointers. */
export function valuesAt(root: unknown, pattern: string): Place[] {
  let places: Place[] = [{ path: '', value: root }]
  for (const token of pattern.split('/').slice(1)) {
    places = places.flatMap((place) => (token === '*' ? childrenOf(place) : namedChild(place, token)))
  }
  return places
}

function childrenOf({ path, value }: Place): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([key, child]) => ({
    path: pointerTo(path, key),
    value: child as unknown,
  }))
}

function namedChild({ path, value }: Place, key: string): Place[] {
  const child = member(value, key)
  return child === undefined ? [] : [{ path: pointerTo(path, key), value: child }]
}
