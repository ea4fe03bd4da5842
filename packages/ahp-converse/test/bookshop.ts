import { type ClientRequest, createServer, type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import { agentNotice, linkHeader } from '@doorplate/ahp-manifest'
import type { ConverseRequest } from '@doorplate/ahp-manifest/messages'
import { listen, type LoopbackServer } from '@internal/loopback'
import { toNodeListener } from '../src/node.js'
import type { Outcome } from '../src/outcome.js'
import { type Concierge, type ConciergeConfig, defineConcierge, type Fault } from '../src/server.js'
import type { Principal, Turn } from '../src/turn.js'
import { expectSendable } from './expect-sendable.js'

/** A request of a visiting agent; the body is sent as JSON unless it is text or bytes. */
export interface Visit {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** A loopback address to come from. Default: 127.0.0.1. */
  readonly from?: string
}

export interface Seen {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The parsed body; undefined where there is none or it is not JSON. */
  readonly json: unknown
}

/** A shop that does everything right, on real HTTP. */
export interface Bookshop {
  readonly concierge: Concierge
  readonly server: LoopbackServer
  readonly faults: readonly (Fault & { readonly error: unknown })[]
  /** Moves the clock of the shop on. */
  pass(ms: number): void
  visit(visit: Visit): Promise<Seen>
  /** Posts a question to the capability `search`, unless the body says otherwise. */
  ask(body: Readonly<Record<string, unknown>>, visit?: Visit): Promise<Seen>
  close(): Promise<void>
}

/** 2026-01-01T00:00:00Z. */
const START_MS = 1_767_225_600_000

const TOKENS: ReadonlyMap<string, Principal> = new Map([
  ['reader-token', { id: 'reader' }],
  ['staff-token', { id: 'staff', scopes: ['staff'] }],
])

const SIGNALS = { ai_train: false, ai_input: true, search: true, attribution_required: true } as const

export const PAYLOADS = {
  'application/data': { data: { phone: '+1 555 0100' } },
  'application/feed': { total: 1, items: [{ title: 'Dune', url: '/reviews/dune' }], next_cursor: null },
  'media/video': { stream_url: 'https://cdn.example/dune.m3u8', format: 'hls' },
  'media/audio': { stream_url: '/audio/dune.mp3', format: 'mp3' },
  'media/image': { images: [{ url: '/dune.jpg', alt: 'The cover of Dune' }] },
  'file/download': { url: '/dune.epub', filename: 'dune.epub' },
  'application/action-result': { action: 'noted', success: true },
  'x-bookshop/shelf': { shelf: 'A3' },
} as const

/** The payload agreed with the visitor, if there is one. */
function withPayload({ contentType, query }: Turn): Outcome {
  const payload = (PAYLOADS as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[contentType]
  return { answer: `About ${query}, as ${contentType}.`, ...(payload === undefined ? {} : { payload }) }
}

function search({ query, history, clarification }: Turn): Outcome {
  if (query === 'dune' && clarification === undefined)
    return { clarification: { question: 'The novel or the film?', options: ['novel', 'film'] } }
  const earlier =
    history.length === 0 ? '' : ` Before you asked: ${history.map((past) => past.query).join('; ')}.`
  return {
    answer: `There is a review of ${query}${clarification === undefined ? '' : ` (${clarification.reply})`}.${earlier}`,
    sources: [{ title: 'Reviews', url: '/reviews', relevance: 'direct' }],
    suggestedQueries: ['Who wrote it?'],
  }
}

export const CAPABILITIES: ConciergeConfig['capabilities'] = {
  search: { description: 'Finds reviews of novels.', mode: 'MODE2', answer: search, cache: true },
  reviews: {
    description: 'Lists reviews.',
    mode: 'MODE2',
    responseTypes: ['application/feed', 'text/answer'],
    answer: withPayload,
  },
  trailer: {
    description: 'Shows the trailer of a film.',
    mode: 'MODE2',
    responseTypes: ['media/video'],
    acceptFallback: true,
    answer: withPayload,
  },
  anything: {
    description: 'Answers in every type there is.',
    mode: 'MODE2',
    responseTypes: Object.keys(PAYLOADS),
    answer: withPayload,
  },
  contact: {
    description: 'Says how to reach the shop.',
    mode: 'MODE1',
    responseTypes: ['application/data'],
    answer: withPayload,
  },
  orders: { description: 'Answers members.', mode: 'MODE2', auth: 'required', answer: search },
  stock: { description: 'Answers the staff.', mode: 'MODE2', scopes: ['staff'], answer: search },
  question_only: {
    description: 'Asks in free form.',
    mode: 'MODE2',
    answer: ({ clarification }) =>
      clarification === undefined
        ? { clarification: { question: 'Which author?' } }
        : { answer: `You said ${clarification.reply}.` },
  },
  strict_question: {
    description: 'Asks for one of two.',
    mode: 'MODE2',
    answer: ({ clarification }) =>
      clarification === undefined
        ? { clarification: { question: 'Which?', options: ['Red', 'Blue'], freeForm: false } }
        : { answer: `You said ${clarification.reply}.` },
  },
  long: { description: 'Talks.', mode: 'MODE2', answer: () => ({ answer: 'word '.repeat(20_000) }) },
  costly: { description: 'Costs.', mode: 'MODE2', answer: () => ({ answer: 'Done.', tokensUsed: 600 }) },
  broken: {
    description: 'Fails.',
    mode: 'MODE2',
    answer() {
      throw new Error('password=hunter2 at /srv/app/secret.js:1')
    },
  },
  slow: { description: 'Never ends.', mode: 'MODE2', answer: () => new Promise<Outcome>(() => undefined) },
}

export async function openBookshop(overrides: Partial<ConciergeConfig> = {}): Promise<Bookshop> {
  let time = START_MS
  const faults: (Fault & { readonly error: unknown })[] = []
  const concierge = defineConcierge({
    name: 'The Book Shelf',
    description: 'Reviews of novels, written by readers.',
    publicUrl: 'https://books.test',
    contentSignals: SIGNALS,
    content: '# The Book Shelf\n\nReviews of novels.\n',
    capabilities: CAPABILITIES,
    verify: ({ value }) => TOKENS.get(value) ?? null,
    now: () => time,
    onError: (error, fault) => faults.push({ error, ...fault }),
    ...overrides,
  })
  const answer = toNodeListener(concierge)
  const server = await listen(
    createServer((request, response) => {
      answer(request, response, () => {
        const status = request.url === '/' ? 200 : 404
        response.writeHead(status, { 'content-type': 'text/html', link: linkHeader() })
        response.end(`<!doctype html><title>Books</title><body><h1>Books</h1>${agentNotice()}</body>`)
      })
    }),
    'http',
  )
  const path = concierge.manifest.endpoints?.converse ?? ''

  async function visit(wish: Visit): Promise<Seen> {
    const seen = await send(server.port, wish)
    if (concierge.matches(wish.path ?? '/')) expectSendable(seen)
    return seen
  }

  return {
    concierge,
    server,
    faults,
    pass(ms) {
      time += ms
    },
    visit,
    ask: (body, wish = {}) =>
      visit({
        method: 'POST',
        path,
        ...wish,
        body: { capability: 'search', ...body } satisfies Partial<ConverseRequest>,
      }),
    close: () => server.close(),
  }
}

export function send(
  port: number,
  { method = 'GET', path = '/', headers = {}, body, from }: Visit,
): Promise<Seen> {
  const bytes =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const request: ClientRequest = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(from === undefined ? {} : { localAddress: from }),
        agent: false,
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) })
        })
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(bytes)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
