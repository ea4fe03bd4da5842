import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import type { Capability } from '@doorplate/ahp-manifest'
import { at, type Draft } from './draft.js'
import { parsed, refusal, type Reply, type SiteRequest } from './site-message.js'

/** What the site remembers. */
export interface SiteState {
  readonly sessions: Map<
    string,
    { turns: number; readonly owner: string; isAwaiting: boolean; usedAtMs: number }
  >
  readonly jobs: Map<string, { readonly owner: string; polls: number }>
  readonly said: string[]
  count: number
}

export interface GoodSite {
  readonly manifest: Draft
  readonly state: SiteState
  readonly now: () => number
  readonly callbackPort: () => number
}

export const TOKEN = 'member-token-1'
const SESSION_MS = 600_000

/** What is posted to the converse endpoint. */
export function converse(request: SiteRequest, site: GoodSite): Reply {
  if (request.text.length > 8_192) return refusal(413, 'request_too_large')
  if (request.headers['content-type'] !== 'application/json') return refusal(415, 'invalid_request')
  const sent = parsed(request.text)
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return refusal(400, 'invalid_request')
  return answerTo(request.body, request, site)
}

const BAD = 'bad'

/** Undefined when nothing is wrong. */
function problem(body: Draft): string | undefined {
  for (const name of ['capability', 'query']) {
    const value: unknown = body[name]
    if (value === undefined || value === null || value === '') return 'missing_field'
    if (typeof value !== 'string' || value.length > 4_096) return BAD
  }
  for (const name of ['session_id', 'clarification'])
    if (!['string', 'object', 'undefined'].includes(typeof body[name])) return BAD
  const context: unknown = body['context'] ?? {}
  if (typeof context !== 'object') return BAD
  const { max_tokens: most = 1, accept_types: types = [] } = context as Draft
  return Number.isInteger(most) && Number(most) > 0 && Array.isArray(types) ? undefined : BAD
}

/** What converse, the described paths and the tools have in common. */
export function answerTo(body: Draft, { headers }: SiteRequest, site: GoodSite): Reply {
  const wrong = problem(body)
  if (wrong !== undefined) return refusal(400, wrong === BAD ? 'invalid_request' : wrong)
  const capabilities = site.manifest['capabilities'] as Capability[]
  const own = capabilities.find(({ name }) => name === body['capability'])
  if (own === undefined)
    return refusal(400, 'unknown_capability', {
      available_capabilities: capabilities.map(({ name }) => name),
    })
  const owner = headers.authorization ?? ''
  const isClosed = own.auth_required === true || ['action', 'async'].includes(String(own.action_type))
  if (isClosed && owner !== `Bearer ${TOKEN}`)
    return refusal(401, 'auth_required', {}, { 'www-authenticate': 'Bearer' })
  if (body['query'] === 'forbidden') return refusal(403, 'forbidden')
  if (body['query'] === 'fail') return refusal(500, 'concierge_error')
  if (body['query'] === 'busy') return refusal(503, 'unavailable')
  const agreed = agreedType(own, (at(body, 'context', 'accept_types') ?? []) as string[])
  if (agreed === undefined) return refusal(400, 'unsupported_type', { available_types: typesOf(own) })
  if (own.action_type === 'async') return accept(body, owner, site)
  return turn(body, owner, own, agreed, site)
}

function typesOf(own: Partial<Capability>): string[] {
  return own.response_types ?? ['text/answer']
}

function agreedType(own: Capability, accepted: string[]): string | undefined {
  const types = typesOf(own)
  const wanted = accepted.length === 0 ? ['text/answer'] : accepted
  const common = wanted.find((type) => types.includes(type))
  return common ?? (own.accept_fallback === true ? 'text/answer' : undefined)
}

const PAYLOADS: Draft = {
  'application/feed': { total: 1, items: [{ title: 'Dune', url: '/dune' }] },
  'media/video': { stream_url: '/dune.m3u8', format: 'hls' },
}

function turn(
  body: Draft,
  owner: string,
  own: Capability,
  type: string,
  { state, now, manifest }: GoodSite,
): Reply {
  const { session_id: id, clarification } = body as {
    session_id?: string | null
    clarification?: string | null
  }
  const known = typeof id === 'string' ? state.sessions.get(id) : undefined
  const isAlive = known?.owner === owner && now() - known.usedAtMs < SESSION_MS
  if (typeof id === 'string' && !isAlive) return refusal(400, 'invalid_request')
  if (typeof clarification === 'string' && known?.isAwaiting !== true) return refusal(400, 'invalid_request')
  if ((known?.turns ?? 0) >= 10)
    return refusal(429, 'rate_limited', { scope: 'session', retry_after: null }, { 'retry-after': '1' })
  const session_id = id ?? randomUUID()
  const asksBack = body['query'] === 'dune' && typeof clarification !== 'string'
  state.sessions.set(session_id, {
    turns: (known?.turns ?? 0) + 1,
    owner,
    isAwaiting: asksBack,
    usedAtMs: now(),
  })
  state.said.push(String(body['query']))
  const meta = {
    capability_used: own.name,
    mode: own.mode,
    cached: false,
    content_signals: manifest['content_signals'],
  }
  if (asksBack) {
    const question = { question: 'The novel or the film?', options: ['novel', 'film'], free_form: true }
    return {
      status: 200,
      headers: {},
      body: { status: 'clarification_needed', session_id, clarification: question, meta },
    }
  }
  return success(session_id, own, type, meta, Number(at(body, 'context', 'max_tokens') ?? 1_024))
}

function success(
  session_id: string,
  own: Partial<Capability>,
  type: string,
  meta: Draft,
  maxTokens: number,
): Reply {
  const payload = PAYLOADS[type] as Draft | undefined
  const fallback = typesOf(own).includes(type) ? {} : { fallback_from: typesOf(own)[0] }
  const answer =
    'There is a review of Dune on the shelf, and one of Emma, and many more that you can ask for.'
  return {
    status: 200,
    headers: {},
    body: {
      status: 'success',
      session_id,
      progress: null,
      response: {
        content_type: type,
        answer: answer.slice(0, maxTokens * 4),
        ...(payload === undefined ? {} : { payload: structuredClone(payload) }),
        sources: [{ title: 'Dune', url: '/dune', relevance: 'direct' }],
      },
      meta: { ...meta, tokens_used: 20, content_type: type, ...fallback },
    },
  }
}

function accept(body: Draft, owner: string, { state, callbackPort, manifest }: GoodSite): Reply {
  const url = at(body, 'context', 'callback_url') as string | undefined
  if (url?.startsWith('https://agent.test/') === false) return refusal(400, 'invalid_request')
  const id = `j-${state.jobs.size}`
  state.jobs.set(id, { owner, polls: 0 })
  if (url !== undefined) post(callbackPort(), done(id, manifest).body)
  const accepted = {
    status: 'accepted',
    session_id: id,
    eta_seconds: 1,
    poll: `/agent/converse/status/${id}`,
  }
  return { status: 200, headers: {}, body: accepted }
}

function done(id: string, manifest: Draft): Reply {
  const meta = {
    capability_used: 'ask_person',
    mode: 'MODE3',
    cached: false,
    content_signals: manifest['content_signals'],
  }
  return success(id, {}, 'text/answer', meta, 1_024)
}

function post(port: number, body: unknown): void {
  const request = httpRequest({ host: '127.0.0.1', port, method: 'POST', path: '/' })
  request.on('error', () => undefined)
  request.end(JSON.stringify(body))
}

/** The state of a job. */
export function poll(id: string, { headers }: SiteRequest, { state, manifest }: GoodSite): Reply {
  const job = state.jobs.get(id)
  if (job?.owner !== (headers.authorization ?? '')) return refusal(404, 'invalid_request')
  job.polls++
  if (job.polls > 1) return done(id, manifest)
  return {
    status: 200,
    headers: {},
    body: { status: 'pending', session_id: id, progress: 'Half done.', eta_seconds: 1 },
  }
}
