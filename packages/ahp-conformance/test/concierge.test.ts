import { createServer, request as httpRequest } from 'node:http'
import { agentNotice, contentSignalLine, linkHeader } from '@doorplate/ahp-manifest'
import { createKnowledge } from '@doorplate/ahp-converse/knowledge'
import { mcpFace } from '@doorplate/ahp-converse/mcp'
import { createCallbackTransport, toNodeListener } from '@doorplate/ahp-converse/node'
import { openApiFace } from '@doorplate/ahp-converse/openapi'
import { defineConcierge, type Concierge, type ConciergeConfig } from '@doorplate/ahp-converse/server'
import { listen, type LoopbackServer } from '@internal/loopback'
import { afterEach, describe, expect, it } from 'vitest'
import {
  runConformance,
  type CallbackOptions,
  type ConformanceReport,
  type RunConformanceOptions,
} from '../src/index.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const OBJECT = { type: 'object', properties: {} } as const

const DOCUMENTS = [
  {
    url: '/dune',
    title: 'Dune',
    content: '# Dune\n\nA novel about sandworms and what can be found in a desert.\n',
  },
  {
    url: '/emma',
    title: 'Emma',
    content: '# Emma\n\nA novel about a matchmaker.\n',
  },
] as const

/** Our concierge with something of everything. */
async function openShop(
  overrides: Partial<ConciergeConfig> = {},
): Promise<{ readonly server: LoopbackServer; readonly callback: CallbackOptions }> {
  let callbackPort = 0
  const transport = createCallbackTransport()
  const concierge: Concierge = defineConcierge({
    name: 'The Book Shelf',
    description: 'Reviews of novels.',
    publicUrl: 'https://books.test',
    contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
    knowledge: await createKnowledge({ documents: DOCUMENTS }),
    capabilities: {
      search: { description: 'Finds reviews.', mode: 'MODE2' },
      choose: {
        description: 'Asks back.',
        mode: 'MODE2',
        answer: ({ clarification }) =>
          clarification === undefined
            ? { clarification: { question: 'The novel or the film?', options: ['novel', 'film'] } }
            : { answer: `You said ${clarification.reply}.` },
      },
      reviews: {
        description: 'Lists reviews.',
        mode: 'MODE2',
        responseTypes: ['application/feed', 'text/answer'],
        answer: ({ contentType }) =>
          contentType === 'application/feed'
            ? { answer: 'One review.', payload: { total: 1, items: [{ title: 'Dune', url: '/dune' }] } }
            : { answer: 'There is a review of Dune.' },
      },
      trailer: {
        description: 'Shows trailers.',
        mode: 'MODE2',
        responseTypes: ['media/video'],
        acceptFallback: true,
        answer: ({ contentType }) =>
          contentType === 'media/video'
            ? {
                answer: 'A trailer.',
                payload: { stream_url: 'https://cdn.example/dune.m3u8', format: 'hls' },
              }
            : { answer: 'There is a trailer of Dune.' },
      },
      orders: {
        description: 'Answers members.',
        mode: 'MODE2',
        auth: 'required',
        answer: () => ({ answer: 'Nothing is on its way.' }),
      },
      staff: {
        description: 'Answers the staff.',
        mode: 'MODE2',
        scopes: ['staff'],
        answer: () => ({ answer: 'All is well.' }),
      },
      broken: {
        description: 'Fails.',
        mode: 'MODE2',
        auth: 'required',
        answer: () => {
          throw new Error('It is broken.')
        },
      },
      archive: {
        description: 'Takes longer than anybody waits.',
        mode: 'MODE2',
        auth: 'required',
        answer: () => new Promise<never>(() => undefined),
      },
      order_book: {
        description: 'Orders a book.',
        mode: 'MODE3',
        actionType: 'action',
        inputSchema: OBJECT,
        outputSchema: OBJECT,
        answer: () => ({ answer: 'Ordered.', payload: { action: 'order', success: true, result: {} } }),
      },
      ask_person: {
        description: 'A bookseller answers.',
        mode: 'MODE3',
        actionType: 'async',
        inputSchema: OBJECT,
        outputSchema: OBJECT,
        etaSeconds: 1,
        answer: () => ({ answer: 'It is in stock.', payload: { data: {} } }),
      },
    },
    faces: [mcpFace(), openApiFace()],
    verify: ({ value }) => (value === 'reader-token' ? { id: 'reader' } : null),
    onError: () => undefined,
    limits: {
      unauthenticated: {
        read: '100000/minute',
        ask: '100000/minute',
        action: '100000/minute',
        credential: '100000/minute',
      },
      authenticated: { read: '100000/minute', ask: '100000/minute', action: '100000/minute' },
    },
    callbacks: {
      secrets: () => ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      transport: {
        allows: async (url, options) =>
          url.startsWith('https://agent.test/') || (await transport.allows(url, options)),
        post: (_url, { headers, body }) => postTo(callbackPort, headers, body),
      },
    },
    ...overrides,
  })
  const answer = toNodeListener(concierge)
  const server = await listen(
    createServer((request, response) => {
      answer(request, response, () => {
        if (request.url === '/robots.txt') {
          response.writeHead(200, { 'content-type': 'text/plain', link: linkHeader() })
          response.end(`User-agent: *\n${contentSignalLine(concierge.manifest.content_signals)}\n`)
          return
        }
        const isThere = ['/', '/dune', '/emma'].includes(request.url ?? '')
        const headers = { 'content-type': 'text/html', link: linkHeader() }
        response.writeHead(isThere ? 200 : 404, headers)
        response.end(`<!doctype html><title>Books</title><body>${agentNotice()}</body>`)
      })
    }),
    'http',
  )
  closing.push(
    () => transport.close(),
    () => server.close(),
    () => concierge.close(),
  )
  const url = (port: number): string => {
    callbackPort = port
    return 'https://agent.test/answers'
  }
  return { server, callback: { url } }
}

function postTo(
  port: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, method: 'POST', path: '/', headers },
      (response) => {
        response.resume()
        resolve({ status: response.statusCode ?? 0 })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

const KNOWN: RunConformanceOptions = {
  allowPrivateNetwork: true,
  credential: 'reader-token',
  probes: {
    question: { capability: 'search', query: 'What is there about sandworms?' },
    ambiguous: { capability: 'choose', query: 'Dune' },
    member: { capability: 'orders' },
    action: { capability: 'order_book', input: {} },
    job: { capability: 'ask_person', input: {} },
    forbidden: { capability: 'staff' },
    failing: { capability: 'broken' },
    unavailable: { capability: 'archive' },
  },
}

function notPassed({ checks }: ConformanceReport): readonly string[] {
  return checks
    .filter(({ status }) => status !== 'passed')
    .map(({ id, status, message }) => `${id} ${status}: ${message ?? ''}`)
}

describe('our concierge', () => {
  it('passes every check, none skipped, within its limits, which the last checks then reach', async () => {
    let offsetMs = 0
    const waits: number[] = []
    const { server, callback } = await openShop({
      limits: {},
      answerTimeoutMs: 300,
      now: () => Date.now() + offsetMs,
    })
    const report = await runConformance(server.origin, {
      ...KNOWN,
      callback,
      sessionIdleMs: 600_000,
      rate: true,
      sleep: async (delayMs) => {
        waits.push(delayMs)
        offsetMs += delayMs
        // Who waits for work or for a message waits in short steps, and neither comes by the clock of the concierge.
        if (delayMs <= 500) await new Promise((resolve) => setTimeout(resolve, 20))
      },
    })
    expect(notPassed(report)).toEqual([])
    expect(report).toMatchObject({ status: 'passed', complete: true, summary: { skipped: 0 } })
    expect(waits.filter((delayMs) => delayMs > 1_000).length).toBeGreaterThan(1)
  })

  it('passes without anything being named or given, and nothing is done', async () => {
    const done: string[] = []
    const { server } = await openShop({ onError: () => done.push('fault') })
    const report = await runConformance(server.origin, { allowPrivateNetwork: true })
    expect(notPassed(report).filter((line) => !line.includes(' skipped: '))).toEqual([])
    expect(report).toMatchObject({ status: 'passed', complete: true })
    expect(done).toEqual([])
  })
})
