import type { AadpVersion } from '@doorplate/aadp-schemas'
import type { Reader } from './reading/reader.js'
import { Run, type WalkOptions } from './run/run.js'
import type { RunSummary } from './run/run-summary.js'
import type { ListedItem, ListingSource } from './run/site-listing.js'
import type { DocumentTypes, Wire } from './documents/wire.js'

/** Entities as they are read. Leaving the loop cancels what is in flight. */
export interface EntityWalk<Entity> extends AsyncIterableIterator<Entity, RunSummary, undefined> {
  /** What was done so far; the iteration returns the same at its end. */
  readonly summary: RunSummary
  return(): Promise<IteratorResult<Entity, RunSummary>>
}

export function walkEntities<V extends AadpVersion>(
  wire: Wire<V>,
  origin: string,
  options: WalkOptions,
): EntityWalk<DocumentTypes[V]['entity']> {
  const run = new Run<V, ListedItem, DocumentTypes[V]['entity']>(wire, origin, options, {
    source: readSite,
    select: (listed) => listed,
    listed: (listed) => listed,
    result: (_listed, entity) => entity,
  })
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => run.results.next(),
    return: () => run.results.return(),
    get summary() {
      return run.summary
    },
  }
}

/** Lists always come from the site. */
function readSite<V extends AadpVersion>(reader: Reader<V>): ListingSource<V> {
  return async (kind, url, { scheme, arrive }) => {
    const response = await reader.get(kind, url, { scheme })
    arrive(response.url)
    return reader.read(kind, response, url)
  }
}
