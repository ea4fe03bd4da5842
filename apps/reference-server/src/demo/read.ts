import { createMemoryStore, syncEntities, type SyncStore } from '@doorplate/aadp-client'
import { CUSTOMER_SCHEME_ID } from '../publish/shop-resources.js'
import { require, type Narrator } from './narrator.js'
import type { VisitedSite } from './visited-site.js'

/** Mirrors everything, twice: the second time nothing moves. */
export async function read(site: VisitedSite, { step, say }: Narrator): Promise<void> {
  step('Read: a mirror of everything that is published')
  const store = createMemoryStore()
  const first = await sync(site, store)
  say(
    `first sync:  ${String(first.changes)} documents, ${String(first.requests)} requests, ${String(first.bytes)} bytes`,
  )
  require(first.changes > 0, 'Nothing was read.')
  const second = await sync(site, store)
  say(
    `second sync: ${String(second.changes)} changes, ${String(second.requests)} requests, ${String(second.bytes)} bytes`,
  )
  require(second.changes === 0, 'Something moved though nothing had changed.')
  require(second.unchanged === first.changes, `Only ${String(second.unchanged)} are known to be unchanged.`)
  require(second.bytes < first.bytes / 2, 'The second sync was not cheaper.')
}

interface SyncOutcome {
  readonly changes: number
  readonly unchanged: number
  readonly requests: number
  readonly bytes: number
}

async function sync({ origin, tokens, fetch }: VisitedSite, store: SyncStore): Promise<SyncOutcome> {
  const run = syncEntities(origin, { store, fetch, credentials: { [CUSTOMER_SCHEME_ID]: tokens.customer } })
  let changes = 0
  let unchanged = 0
  for await (const event of run) {
    if (event.kind === 'unchanged') unchanged += event.count
    else changes += 1
  }
  const { requests, bytes } = run.summary
  return { changes, unchanged, requests, bytes }
}
