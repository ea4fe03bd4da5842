import { isEntityName } from './entity-representation.js'
import type { ResourceConfig } from '../config/resource-config.js'
import { invalidRequest } from '../errors/server-error.js'

/** Options of `createCollection`. */
export interface CollectionOptions<Item> {
  /** The part of a record's entity id after `type:`; no two records share one. */
  readonly name: (record: Item) => string
}

/** The reading half of a resource over records in memory; `{ ...collection }` has that half only, for `defineResource`. */
export interface Collection<Item> extends Required<Pick<ResourceConfig<Item>, 'list' | 'get' | 'count'>> {
  /** Puts other records in place of all there are. */
  replace(records: readonly Item[]): void
}

/**
 * `list`, `get` and `count` of a resource over records in memory, in the order of their names. A cursor is the last name
 * of a page, so that records which come or go between two pages move no other. Throws a `RangeError` when two records
 * share a name, a `TypeError` when one has none.
 */
export function createCollection<Item>(
  records: readonly Item[],
  options: CollectionOptions<Item>,
): Collection<Item> {
  let byName = indexByName(records, options)
  let names = [...byName.keys()]

  const reading: Pick<Collection<Item>, 'list' | 'get' | 'count'> = {
    list({ cursor, limit }) {
      if (cursor !== null && !byName.has(cursor) && !isEntityName(cursor))
        throw invalidRequest('The cursor is not valid.')
      const start = cursor === null ? 0 : countUpTo(names, cursor)
      const page = names.slice(start, start + limit)
      const isLast = start + limit >= names.length
      return {
        items: page.map((name) => byName.get(name) as Item),
        nextCursor: isLast ? null : (page.at(-1) ?? null),
      }
    },
    get: ({ id }) => byName.get(id),
    count: () => byName.size,
  }
  function replace(replacement: readonly Item[]): void {
    byName = indexByName(replacement, options)
    names = [...byName.keys()]
  }
  // Not enumerable, so that a spread copy is free of what is no option of a resource.
  return Object.defineProperty(reading, 'replace', { value: replace }) as Collection<Item>
}

function indexByName<Item>(
  records: readonly Item[],
  { name }: CollectionOptions<Item>,
): ReadonlyMap<string, Item> {
  const entries = records.map((record): [string, Item] => [nameOf(record, name), record])
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  const byName = new Map(entries)
  if (byName.size < entries.length) throw new RangeError('two records of the collection have the same name')
  return byName
}

/** Without a name a record would end the listing, and readers take what is not listed for deleted. */
function nameOf<Item>(record: Item, name: (record: Item) => unknown): string {
  const given = name(record)
  if (typeof given === 'string') return given
  throw new TypeError('a record of the collection has no name')
}

/** How many sorted names are not after `name`. */
function countUpTo(names: readonly string[], name: string): number {
  let low = 0
  let high = names.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((names[middle] ?? '') <= name) low = middle + 1
    else high = middle
  }
  return low
}
