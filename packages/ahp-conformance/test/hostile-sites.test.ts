import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { exitCodeFor } from '@doorplate/conformance-kit'
import { createSafeFetch } from '@doorplate/safe-fetch'
import { startServer } from '@internal/loopback'
import { describe, expect, it } from 'vitest'
import { runConformance } from '../src/index.js'
import { checkGoodSite, KNOWN } from './check-site.js'
import { TOKEN } from './good-concierge.js'
import { refusal, type Reply } from './site-message.js'
import { wrongCopyOf } from '../src/wrong-credential.js'

const isManifest = (path: string): boolean => path === '/.well-known/agent.json'
const carries = (request: unknown): boolean =>
  [TOKEN, wrongCopyOf(TOKEN)].some((secret) => JSON.stringify(request).includes(secret))

describe('the credential', () => {
  it('is never made up', async () => {
    const seen: IncomingHttpHeaders[] = []
    await checkGoodSite(
      {
        answer: ({ headers }) => {
          seen.push(headers)
          return undefined
        },
      },
      { rate: true },
    )
    expect(seen.length).toBeGreaterThan(100)
    expect(seen.filter((headers) => headers.authorization ?? headers['x-ahp-key'])).toEqual([])
  })

  it('is in no report, nor is the wrong copy of it, where a site repeats what it was sent', async () => {
    const repeated: unknown[] = []
    const { report } = await checkGoodSite({
      reply: (reply, { headers }) => {
        if (headers.authorization === undefined) return
        repeated.push(headers.authorization)
        reply.status = 500
        reply.body = { status: 'error', code: headers.authorization, message: headers.authorization }
      },
    })
    expect(repeated.filter(carries)).toContain(`Bearer ${wrongCopyOf(TOKEN)}`)
    expect(report.status).toBe('failed')
    expect(carries(report)).toBe(false)
  })

  it('goes to no other origin, where the manifest leads there or the site redirects', async () => {
    const stolen: unknown[] = []
    const thief = await startServer((request, response) => {
      void text(request).then((body) => {
        stolen.push([request.headers, body])
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"success"}')
      })
    })
    const fetch = createSafeFetch({ dangerouslyAllow: ['127.0.0.0/8'] })
    try {
      const options = { ...KNOWN, rate: false, fetch }
      const leads = { mcp: { url: `${thief.origin}/mcp` }, openapi: { url: `${thief.origin}/openapi.json` } }
      await checkGoodSite({ manifest: (own) => (own['integrations'] = leads) }, options)
      await checkGoodSite(
        { manifest: (own) => (own['endpoints'] = { converse: `${thief.origin}/ask` }) },
        options,
      )
      const redirect = (path: string): Reply => ({
        status: 307,
        headers: { location: thief.origin + path },
        body: '',
      })
      await checkGoodSite({ answer: ({ path }) => (isManifest(path) ? undefined : redirect(path)) }, options)
      const inBody = '"_meta"'
      await checkGoodSite(
        { answer: ({ path, text: sent }) => (sent.includes(inBody) ? redirect(path) : undefined) },
        options,
      )
      expect(stolen.length).toBeGreaterThan(20)
      expect(stolen.filter(carries)).toEqual([])
    } finally {
      await fetch.close()
      await thief.close()
    }
  })
})

describe('whatever a site answers', () => {
  const bodies: Readonly<Record<string, unknown>> = {
    'an empty body': '',
    'a page': '<html>No</html>',
    null: null,
    'a list': [1, 'two', null],
    'a number': 5,
    'members of the wrong type': {
      status: 'success',
      session_id: 5,
      response: 'no',
      meta: [],
      code: {},
      clarification: 7,
      poll: {},
      result: 'x',
      paths: 5,
      tools: {},
    },
    'inherited names': {
      status: '__proto__',
      code: 'constructor',
      response: { content_type: 'toString', answer: {} },
    },
    'a success without anything': {
      status: 'success',
      response: { answer: 'x', payload: null, sources: [null, 5, {}] },
    },
    'an answer that is deep': `{"status":"success","response":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_001)}}`,
    'an accepted job elsewhere': {
      status: 'accepted',
      session_id: 'x',
      poll: 'javascript:alert(1)',
      eta_seconds: -5,
    },
    'a document of OpenAPI that is none': {
      openapi: '3.1.0',
      info: 5,
      paths: { '/x': null, y: 5 },
      components: [],
    },
    'a result of MCP that is none': {
      jsonrpc: '2.0',
      result: { tools: [null], content: [5], contents: 'x', resources: [null] },
    },
  }

  it.each(Object.entries(bodies))('is a finding and breaks nothing: %s', async (_what, body) => {
    const { report } = await checkGoodSite({
      answer: ({ path }) =>
        isManifest(path) ? undefined : { status: 200, headers: { 'content-type': 'application/json' }, body },
    })
    expect(report.fatal).toBeUndefined()
    expect(report.status).toBe('failed')
  })

  const unreadable: Readonly<Record<string, unknown>> = {
    'a manifest of modes that nobody knows': { ahp: '0.1', modes: ['MODE9'], content_signals: {} },
    'a manifest without modes': { ahp: '0.1', modes: [] },
    'a manifest of more than a megabyte': { ahp: '0.1', modes: ['MODE1'], name: 'x'.repeat(1_100_000) },
  }

  it.each(Object.entries({ ...bodies, ...unreadable }))('is no manifest: %s', async (_what, body) => {
    const { report } = await checkGoodSite({
      answer: ({ path }) => (isManifest(path) ? { status: 200, headers: {}, body } : undefined),
    })
    expect([report.fatal?.code, exitCodeFor(report)]).toEqual(['unsupported_version', 3])
  })
})

describe('a site that wants to be left alone', () => {
  it('is, and the run is inconclusive', async () => {
    const later = { 'retry-after': '86400' }
    const { report, slept } = await checkGoodSite({
      answer: ({ path }) =>
        isManifest(path) ? undefined : refusal(429, 'rate_limited', { retry_after: 86_400 }, later),
    })
    expect(exitCodeFor(report)).toBe(4)
    expect(Math.max(0, ...slept)).toBeLessThanOrEqual(90_000)
  })

  it('is asked no more often than its manifest allows, also where no header field tells', async () => {
    const askedMs: number[] = []
    let timeMs = 1_767_312_000_000
    const now = (): number => timeMs
    const sleep = (delayMs: number): Promise<void> => {
      timeMs += delayMs
      return Promise.resolve()
    }
    await checkGoodSite(
      {
        manifest: (own) => (own['rate_limits'] = { unauthenticated: { requests: '10/minute' } }),
        answer: ({ path, method }) => {
          if (method === 'POST' && path === '/agent/converse') askedMs.push(now())
          return undefined
        },
        reply: (reply) => delete reply.headers['x-ratelimit-remaining'],
      },
      { credential: TOKEN, now, sleep },
      { now },
    )
    expect(askedMs.length).toBeGreaterThan(20)
    const tooSoon = askedMs.filter((atMs, place) => atMs - (askedMs[place - 10] ?? -Infinity) < 60_000)
    expect(tooSoon).toEqual([])
  })

  it('is not asked for ever', async () => {
    const { report } = await checkGoodSite({
      answer: ({ path, method }) =>
        method === 'POST' && path === '/agent/converse'
          ? refusal(429, 'rate_limited', {}, { 'retry-after': '0' })
          : undefined,
    })
    expect(exitCodeFor(report)).not.toBe(0)
    expect(report.requests.count).toBeLessThan(500)
  })
})

describe('a run', () => {
  it('that is aborted reports what was seen', async () => {
    const ended = new AbortController()
    const { report } = await checkGoodSite(
      {},
      {
        ...KNOWN,
        signal: ended.signal,
        onCheck: () => {
          ended.abort()
        },
      },
    )
    expect([report.status, report.complete]).toEqual(['inconclusive', false])
  })

  it('keeps to its budget', async () => {
    const { report } = await checkGoodSite({}, { ...KNOWN, maxRequests: 20 })
    expect(report).toMatchObject({ status: 'inconclusive', requests: { count: 20 } })
  })

  it('cannot begin where there is nothing', async () => {
    const server = await startServer((request) => request.socket.destroy())
    await server.close()
    const report = await runConformance(server.origin, { allowPrivateNetwork: true })
    expect([report.fatal?.code, exitCodeFor(report)]).toEqual(['unreachable', 2])
  })
})
