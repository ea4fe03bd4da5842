interface PageRequest {
  readonly cursor: string | null
  readonly limit: number
}

interface RecordPage<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

/** A page of records sorted by name; the cursor is the name of the last one handed out. */
export function pageAfter<Item>(
  records: readonly Item[],
  nameOf: (record: Item) => string,
  { cursor, limit }: PageRequest,
): RecordPage<Item> {
  const following = cursor === null ? records : records.filter((record) => nameOf(record) > cursor)
  const items = following.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: last !== undefined && following.length > limit ? nameOf(last) : null }
}
