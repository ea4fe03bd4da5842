import { createServer } from 'node:http'
import { listen, type LoopbackServer } from '@internal/loopback'
import { createDesk, type DeskOptions } from '../../src/desk.js'
import { toNodeListener } from '../../src/node.js'
import type { ConciergeConfig, Operator } from '../../src/server.js'
import { type Seen, send, type Visit } from '../bookshop.js'
import { ANN, BOB, type HelpLine, openHelpLine } from './help-line.js'

/** A help line with a desk; operators prove who they are by a cookie of the site. */
export interface DeskSite extends HelpLine {
  readonly origin: string
  /** What the desk reported. */
  readonly deskFaults: readonly unknown[]
  /** A request of Ann's own browser, unless the headers say otherwise. */
  desk(visit: Visit): Promise<Seen>
  /** A form of the desk, sent from its own pages. */
  submit(path: string, form?: Readonly<Record<string, string>>, visit?: Visit): Promise<Seen>
}

const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['operator=ann-secret', ANN],
  ['operator=bob-secret', BOB],
])
const AS_ANN = { cookie: 'operator=ann-secret' }
export const AS_BOB = { cookie: 'operator=bob-secret' }

export async function openDeskSite({
  concierge = {},
  desk = {},
}: {
  readonly concierge?: Partial<ConciergeConfig>
  readonly desk?: Partial<DeskOptions>
} = {}): Promise<DeskSite> {
  const line = await openHelpLine(concierge)
  const deskFaults: unknown[] = []
  let answer = toNodeListener(line.concierge)
  const server: LoopbackServer = await listen(
    createServer((request, response) => {
      answer(request, response)
    }),
    'http',
  )
  const origin = `http://127.0.0.1:${server.port}`
  answer = toNodeListener(
    createDesk(line.concierge.inbox, {
      publicUrl: origin,
      authenticate: ({ header }) => OPERATORS.get(header('cookie') ?? '') ?? null,
      onError: (error) => deskFaults.push(error),
      ...desk,
    }),
  )
  return {
    ...line,
    origin,
    deskFaults,
    desk: (visit) => send(server.port, { headers: AS_ANN, ...visit }),
    submit: (path, form = {}, { headers = {}, ...visit } = {}) =>
      send(server.port, {
        method: 'POST',
        path,
        headers: {
          ...AS_ANN,
          origin,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/x-www-form-urlencoded',
          ...headers,
        },
        body: new URLSearchParams(form).toString(),
        ...visit,
      }),
    async close() {
      await server.close()
      await line.close()
    },
  }
}
