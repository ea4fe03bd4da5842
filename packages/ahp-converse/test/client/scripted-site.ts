import { createSafeFetch, type SafeFetch } from '@doorplate/safe-fetch'
import { startServer, type LoopbackServer } from '@internal/loopback'
import { visit, type Reply, type Site, type VisitOptions } from '../../src/client.js'

export interface SeenRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The parsed body of a POST. */
  readonly json: Readonly<Record<string, unknown>>
  /** By the clock of the visit. */
  readonly atMs: number
}

export interface ScriptedAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Text and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown
}

export type Script = ScriptedAnswer | ((request: SeenRequest) => ScriptedAnswer | Promise<ScriptedAnswer>)

/** A site on loopback that answers from a script and keeps what it was asked. */
export class ScriptedSite implements AsyncDisposable {
  readonly requests: SeenRequest[] = []
  readonly clock: TestClock = new TestClock()
  readonly #scripts = new Map<string, Script[]>()
  readonly #fetches: SafeFetch[] = []
  #server: LoopbackServer | undefined

  static async start(manifest?: object): Promise<ScriptedSite> {
    const site = new ScriptedSite()
    site.#server = await startServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request
        const text = Buffer.concat(chunks).toString()
        const json = method === 'POST' ? (JSON.parse(text) as Record<string, unknown>) : {}
        const seen = { method, path, headers, text, json, atMs: site.clock.now() }
        site.requests.push(seen)
        void site.#answer(seen).then(({ status = 200, headers: fields = {}, body = '' }) => {
          const isRaw = typeof body === 'string' || body instanceof Uint8Array
          const type = isRaw ? 'text/html' : 'application/json'
          const all = { 'content-type': type, ...fields } as Record<string, string | string[]>
          response.writeHead(status, all).end(isRaw ? body : JSON.stringify(body))
        })
      })
    })
    if (manifest) site.on('/.well-known/agent.json', { body: manifest })
    return site
  }

  get origin(): string {
    return this.#server?.origin ?? ''
  }

  get host(): string {
    return this.#server?.host ?? ''
  }

  /** Answers of a path, one after the other; the last one from then on. */
  on(path: string, ...scripts: readonly Script[]): this {
    this.#scripts.set(path, [...scripts])
    return this
  }

  /** Answers of the converse endpoint. */
  onAsk(...scripts: readonly Script[]): this {
    return this.on('/agent/converse', ...scripts)
  }

  /** Requests to the converse endpoint. */
  get asked(): readonly SeenRequest[] {
    return this.requests.filter(({ method }) => method === 'POST')
  }

  get paths(): readonly string[] {
    return this.requests.map(({ path }) => path)
  }

  /** A guarded fetch that may reach this site and others. */
  fetch(...others: readonly ScriptedSite[]): SafeFetch {
    const fetch = createSafeFetch({ dangerouslyAllow: [this, ...others].map(({ host }) => host) })
    this.#fetches.push(fetch)
    return fetch
  }

  visit(options: VisitOptions = {}, path = '/'): Promise<Site> {
    const { now, random, sleep } = this.clock
    return visit(this.origin + path, { fetch: this.fetch(), now, random, sleep, ...options })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#fetches.map((fetch) => fetch.close()))
    await this.#server?.close()
  }

  async #answer(request: SeenRequest): Promise<ScriptedAnswer> {
    const scripts = this.#scripts.get(request.path.split('?')[0] ?? '') ?? []
    const script = scripts.length > 1 ? scripts.shift() : scripts[0]
    if (script === undefined) return { status: 404, body: 'nothing here' }
    return typeof script === 'function' ? script(request) : script
  }
}

/** A clock that only sleeping moves. */
export class TestClock {
  nowMs: number = Date.UTC(2026, 0, 2)
  readonly slept: number[] = []
  randomValue = 0
  readonly now: () => number = () => this.nowMs
  readonly random: () => number = () => this.randomValue
  readonly sleep: (delayMs: number, signal: AbortSignal | undefined) => Promise<void> = (delayMs, signal) => {
    signal?.throwIfAborted()
    this.slept.push(delayMs)
    this.nowMs += delayMs
    return Promise.resolve()
  }
}

const SIGNALS = { ai_train: false, ai_input: true, search: true, attribution_required: true }

/** A manifest with two capabilities that answer, one that acts and one that takes its time. */
export function bookShop(changes: object = {}): object {
  return {
    ahp: '0.1',
    name: 'The Book Shelf',
    modes: ['MODE1', 'MODE2', 'MODE3'],
    endpoints: { converse: '/agent/converse', content: '/llms.txt' },
    authentication: 'bearer',
    capabilities: [
      { name: 'book_search', description: 'Finds reviews by title, author or subject', mode: 'MODE2' },
      {
        name: 'opening_hours',
        description: 'Says when the shop is open',
        mode: 'MODE2',
        response_types: ['text/answer', 'application/data'],
      },
      {
        name: 'order_book',
        description: 'Orders a book',
        mode: 'MODE3',
        action_type: 'action',
        input_schema: { type: 'object', properties: { isbn: { type: 'string' } }, required: ['isbn'] },
        output_schema: { type: 'object' },
      },
      {
        name: 'ask_a_person',
        description: 'A bookseller answers',
        mode: 'MODE3',
        action_type: 'async',
        input_schema: { type: 'object' },
        output_schema: { type: 'object' },
      },
    ],
    rate_limits: { unauthenticated: { requests: '30/minute' } },
    content_signals: SIGNALS,
    async: { supported: true },
    ...changes,
  }
}

export function success(
  answer: string,
  more: Readonly<Record<string, unknown>> = {},
  response: object = {},
): ScriptedAnswer {
  return {
    body: {
      status: 'success',
      session_id: 's-1',
      progress: null,
      response: { answer, ...response },
      meta: {},
      ...more,
    },
  }
}

export function refusal(
  status: number,
  code: string,
  more: object = {},
  headers: Record<string, string> = {},
): ScriptedAnswer {
  return { status, headers, body: { status: 'error', code, message: `It is ${code}.`, ...more } }
}

/** The reply, if it has this status. */
export function having<Status extends Reply['status']>(
  status: Status,
  reply: Reply,
): Extract<Reply, { status: Status }> {
  if (reply.status !== status) throw new Error(`${reply.status} instead of ${status}`)
  return reply as Extract<Reply, { status: Status }>
}
