import type { AadpServer } from '@doorplate/aadp-server'
import type { Concierge } from '@doorplate/ahp-converse/server'
import { exchange, type Exchange } from '../exchange.js'
import { AGENT_MANIFEST, CONVERSE, entityOf } from '../routes.js'

/** One exchange of each kind, as this server answers now. */
export interface HomeExchanges {
  readonly find: Exchange
  readonly read: Exchange
  readonly ask: Exchange
}

export interface HomeExchangeParts {
  readonly aadp: AadpServer
  readonly concierge: Concierge
  readonly origin: string
  readonly now: () => number
}

const FRESH_MS = 10_000
const READ = entityOf({ type: 'post', slug: 'find-read-ask' })
const QUESTION = { capability: 'site_info', query: 'Which Node.js does it need?' }

/** Does what an agent does here; all who look within a few seconds are shown the same. */
export function createHomeExchanges({
  aadp,
  concierge,
  origin,
  now,
}: HomeExchangeParts): () => Promise<HomeExchanges> {
  let latest: { readonly at: number; readonly exchanges: Promise<HomeExchanges> } | undefined

  async function perform(): Promise<HomeExchanges> {
    const ask = (request: Request): Promise<Response> => concierge.handleRequest(request)
    const read = (request: Request): Promise<Response> => aadp.handleRequest(request)
    return {
      find: await exchange(ask, { path: AGENT_MANIFEST }, { origin }),
      read: await exchange(read, { path: READ }, { origin }),
      ask: await exchange(
        ask,
        {
          ...{ method: 'POST', path: CONVERSE },
          ...{ headers: { 'content-type': 'application/json' }, body: JSON.stringify(QUESTION) },
        },
        { origin },
      ),
    }
  }

  return () => {
    if (latest === undefined || now() - latest.at >= FRESH_MS) {
      latest = { at: now(), exchanges: perform() }
      latest.exchanges.catch(() => {
        latest = undefined
      })
    }
    return latest.exchanges
  }
}
