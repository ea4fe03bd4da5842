import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { agentNotice, linkHeader, type Manifest } from '@doorplate/ahp-manifest'
import type { Draft } from './draft.js'
import { answerTo, converse, poll, type GoodSite, type SiteState } from './good-concierge.js'
import { mcp, openapi } from './good-faces.js'
import { objectIn, refusal, type Reply, type SiteRequest } from './site-message.js'

/** One thing that is wrong with the site. */
export interface Fault {
  /** Changes the manifest before it is served or obeyed. */
  readonly manifest?: (manifest: Draft) => unknown
  /** Answers instead of the site. */
  readonly answer?: (request: SiteRequest, state: SiteState) => Reply | undefined
  /** Changes an answer. */
  readonly reply?: (reply: Reply, request: SiteRequest, state: SiteState) => unknown
}

export interface GoodSiteOptions {
  readonly fault?: Fault
  readonly now: () => number
  /** Where `https://agent.test/` leads to. */
  readonly callbackPort?: () => number
  /** Requests in a minute. Default 100. */
  readonly limit?: number
}

const SIGNALS = { ai_train: false, ai_input: true, search: true, attribution_required: true }
const SCHEMA = { type: 'object' }

const MANIFEST: Manifest = {
  ahp: '0.1',
  name: 'The Book Shelf',
  description: 'Reviews of novels.',
  modes: ['MODE1', 'MODE2', 'MODE3'],
  endpoints: { converse: '/agent/converse', content: '/llms.txt' },
  authentication: 'bearer',
  capabilities: [
    {
      name: 'search',
      description: 'Finds reviews.',
      mode: 'MODE2',
      response_types: ['application/feed', 'text/answer'],
    },
    {
      name: 'trailer',
      description: 'Shows trailers.',
      mode: 'MODE2',
      response_types: ['media/video'],
      accept_fallback: true,
    },
    { name: 'orders', description: 'Answers members.', mode: 'MODE2', auth_required: true },
    { name: 'imprint', description: 'Says who publishes.', mode: 'MODE1' },
    {
      name: 'place_order',
      description: 'Orders a book.',
      mode: 'MODE3',
      action_type: 'action',
      input_schema: SCHEMA,
      output_schema: SCHEMA,
    },
    {
      name: 'ask_person',
      description: 'A bookseller answers.',
      mode: 'MODE3',
      action_type: 'async',
      input_schema: SCHEMA,
      output_schema: SCHEMA,
    },
  ],
  rate_limits: { unauthenticated: { requests: '100/minute' }, authenticated: { requests: '100/minute' } },
  content_signals: SIGNALS,
  async: { supported: true },
  integrations: { mcp: { url: '/mcp' }, openapi: { url: '/openapi.json' } },
}

/** A site that does everything right, in as few lines as it takes. */
export function createGoodSite({
  fault = {},
  now,
  callbackPort,
  limit = 100,
}: GoodSiteOptions): RequestListener {
  const manifest = { ...structuredClone(MANIFEST) } as Draft
  fault.manifest?.(manifest)
  const state: SiteState = { sessions: new Map(), jobs: new Map(), said: [], count: 0 }
  let windowEndsAtMs = now() + 60_000
  let used = 0
  const site = { manifest, state, now, callbackPort: callbackPort ?? (() => 0) }

  return (incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { method = 'GET', url = '/', headers } = incoming
      const text = Buffer.concat(chunks).toString()
      const request = { method, path: url.split('?')[0] ?? '', headers, text, body: objectIn(text) }
      if (now() >= windowEndsAtMs) {
        windowEndsAtMs = now() + 60_000
        used = 0
      }
      used++
      const waitSeconds = Math.ceil((windowEndsAtMs - now()) / 1_000)
      const reply =
        fault.answer?.(request, state) ?? (used > limit ? limited(waitSeconds) : respond(request, site))
      reply.headers = {
        'cache-control': 'no-store',
        link: linkHeader(),
        date: new Date(now()).toUTCString(),
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(Math.max(0, limit - used)),
        'x-ratelimit-reset': String(Math.ceil(windowEndsAtMs / 1_000)),
        'x-ratelimit-window': '60',
        ...reply.headers,
      }
      fault.reply?.(reply, request, state)
      const isText = typeof reply.body === 'string'
      const fields = { ...(isText ? {} : { 'content-type': 'application/json' }), ...reply.headers }
      for (const [name, value] of Object.entries(fields as Reply['headers']))
        if (value !== undefined) outgoing.setHeader(name, value)
      outgoing.writeHead(reply.status)
      outgoing.end(
        method === 'HEAD' || reply.body === undefined ? '' : isText ? reply.body : JSON.stringify(reply.body),
      )
    })
  }
}

function limited(waitSeconds: number): Reply {
  return refusal(
    429,
    'rate_limited',
    { scope: 'ip', retry_after: waitSeconds },
    { 'retry-after': String(waitSeconds) },
  )
}

function respond(request: SiteRequest, site: GoodSite): Reply {
  const { method, path, headers } = request
  const accepted = /application\/agent\+json(?!\s*;\s*q=0(\D|$))/.test(headers.accept ?? '')
  if (path === '/.well-known/agent.json')
    return method === 'GET' || method === 'HEAD' ? served(site.manifest, headers) : notAllowed('GET, HEAD')
  if (path === '/agent/converse') {
    if (method === 'OPTIONS') return { status: 204, headers: { allow: 'POST' }, body: undefined }
    return method === 'POST' ? converse(request, site) : notAllowed('POST')
  }
  if (path.startsWith('/agent/converse/status/'))
    return poll(path.slice('/agent/converse/status/'.length), request, site)
  if (path === '/mcp') return method === 'POST' ? mcp(request, site) : notAllowed('POST')
  if (path === '/openapi.json')
    return { status: 200, headers: {}, body: openapi(site.manifest, headers.host ?? '') }
  const [, named] = /^\/capabilities\/(\w+)$/.exec(path) ?? []
  if (named !== undefined)
    return method === 'POST'
      ? answerTo({ capability: named, ...request.body }, request, site)
      : notAllowed('POST')
  if (path === '/robots.txt')
    return page(
      200,
      'text/plain',
      'User-agent: *\nContent-Signal: search=yes, ai-input=yes, ai-train=no\nAllow: /\n',
    )
  if (accepted && method === 'GET') return { status: 200, headers: { vary: 'Accept' }, body: site.manifest }
  if (path === '/llms.txt') return page(200, 'text/markdown', '# The Book Shelf\n')
  return page(
    path === '/' || path === '/dune' ? 200 : 404,
    'text/html',
    `<!doctype html><title>Books</title><body>${agentNotice()}</body>`,
  )
}

function page(status: number, type: string, body: string): Reply {
  return { status, headers: { 'content-type': type, vary: 'Accept' }, body }
}

function served(manifest: Draft, { 'if-none-match': known }: IncomingHttpHeaders): Reply {
  const headers = { etag: '"1"', 'cache-control': 'max-age=60' }
  return known === '"1"'
    ? { status: 304, headers, body: undefined }
    : { status: 200, headers, body: manifest }
}

function notAllowed(allow: string): Reply {
  return refusal(405, 'invalid_request', {}, { allow })
}
