import type { StoredSession } from './stored-session.js'

/** Of a session and of each turn, besides their texts: objects, ids, links of the list. A generous estimate. */
const OVERHEAD_BYTES = 512
const BYTES_PER_CHARACTER = 2

/** What a session takes in memory, estimated. */
export function sessionBytes({ owner, history, awaiting }: StoredSession): number {
  let characters = owner.length
  for (const { query, answer, sources } of history) {
    characters += query.length + answer.length
    for (const { title, url } of sources) characters += (title?.length ?? 0) + url.length
  }
  if (awaiting !== undefined) characters += JSON.stringify(awaiting).length
  return characters * BYTES_PER_CHARACTER + (history.length + 1) * OVERHEAD_BYTES
}
