import { at, put, type Draft } from '../draft.js'
import { TOKEN, type SiteState } from '../good-concierge.js'
import type { Fault } from '../good-site.js'
import type { Reply, SiteRequest } from '../site-message.js'

/** One fault, and the one check that must find it. */
export interface Twin {
  readonly check: string
  readonly what: string
  /** How the check must come out: a broken MUST fails, a broken SHOULD warns. */
  readonly status: 'failed' | 'warning'
  readonly fault: Fault
  /** Rules of the draft that it breaks besides those that the findings name, by number. */
  readonly breaks?: readonly string[]
}

export const isManifest = ({ path }: SiteRequest): boolean => path === '/.well-known/agent.json'
export const isContent = ({ path }: SiteRequest): boolean => path === '/llms.txt'
export const isConverse = ({ path, method }: SiteRequest): boolean =>
  path === '/agent/converse' && method === 'POST'
export const isPoll = ({ path }: SiteRequest): boolean => path.startsWith('/agent/converse/status/')
export const isMcp = ({ path }: SiteRequest): boolean => path === '/mcp'
export const isOpenapi = ({ path }: SiteRequest): boolean => path === '/openapi.json'
export const isFace = ({ path }: SiteRequest): boolean => path.startsWith('/capabilities/')
export const asksManifest = ({ headers }: SiteRequest): boolean =>
  (headers.accept ?? '').includes('agent+json')
export const isIdentified = ({ headers }: SiteRequest): boolean => headers.authorization === `Bearer ${TOKEN}`
/** Whoever has a credential, and not the right one. */
export const isStranger = (request: SiteRequest): boolean =>
  request.headers.authorization !== undefined && !isIdentified(request)
/** Takes a request for one of the member. */
export const identify = ({ headers }: SiteRequest): unknown =>
  Object.assign(headers, { authorization: `Bearer ${TOKEN}` })
export const isSuccess = (reply: Reply): boolean => at(reply.body, 'status') === 'success'
const codeOf = (reply: Reply): unknown => at(reply.body, 'code')
export const memberOf = ({ body }: SiteRequest, ...names: readonly string[]): unknown => at(body, ...names)

/** A reply hook for some requests. */
export function inReply(
  where: (request: SiteRequest, reply: Reply) => boolean,
  change: (reply: Reply, request: SiteRequest, state: SiteState) => unknown,
): Fault {
  return {
    reply: (reply, request, state) => {
      if (where(request, reply)) change(reply, request, state)
    },
  }
}

/** A reply hook for some answers of the concierge. */
export function inAnswer(change: (body: Draft, request: SiteRequest) => unknown): Fault {
  return inReply(
    (request, reply) => isConverse(request) && isSuccess(reply),
    (reply, request) => change(reply.body as Draft, request),
  )
}

/** A reply hook for refusals with a code. */
export function inRefusal(code: string, change: (reply: Reply, request: SiteRequest) => unknown): Fault {
  return inReply((request, reply) => isConverse(request) && codeOf(reply) === code, change)
}

/** An answer instead of the good one for some requests. */
export function instead(
  where: (request: SiteRequest) => boolean,
  answer: (request: SiteRequest) => Reply,
): Fault {
  return { answer: (request) => (where(request) ? answer(request) : undefined) }
}

/** A change of the manifest as it is served, which the site itself does not obey. */
export function inServedManifest(change: (manifest: Draft) => unknown): Fault {
  return inReply(
    (request, reply) => isManifest(request) && reply.status === 200,
    (reply) => {
      const served = structuredClone(reply.body) as Draft
      change(served)
      reply.body = served
    },
  )
}

export function inManifest(change: (manifest: Draft) => unknown): Fault {
  return { manifest: change }
}

/** A change of one call's result in the MCP face. */
export function inMcp(method: string, change: (result: Draft, request: SiteRequest) => unknown): Fault {
  return inReply(
    (request, reply) =>
      isMcp(request) && memberOf(request, 'method') === method && at(reply.body, 'result') !== undefined,
    (reply, request) => change(at(reply.body, 'result') as Draft, request),
  )
}

export function inOpenapi(change: (document: Draft) => unknown): Fault {
  return inReply(isOpenapi, (reply) => change(reply.body as Draft))
}

export const become = (reply: Reply, other: Reply): Reply =>
  Object.assign(reply, other, { headers: { ...reply.headers, ...other.headers } })
export const html = (reply: Reply): Reply =>
  become(reply, { status: reply.status, headers: { 'content-type': 'text/html' }, body: '<h1>No</h1>' })
export const isPage = ({ path }: SiteRequest, { headers }: Reply): boolean =>
  path !== '/' && headers['content-type'] === 'text/html'
export const ALWAYS = { headers: {}, status: 200 }

export function answerBody(session_id: string, more: Draft = {}): Draft {
  const meta = {
    capability_used: 'search',
    mode: 'MODE2',
    cached: false,
    content_type: 'text/answer',
    content_signals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
  }
  return {
    status: 'success',
    session_id,
    progress: null,
    response: { content_type: 'text/answer', answer: 'Yes.', sources: [] },
    meta,
    ...more,
  }
}

/** A success where there must be none. */
export function answered(where: (request: SiteRequest) => boolean): Fault {
  return instead(
    (request) => isConverse(request) && where(request),
    () => ({ ...ALWAYS, body: answerBody('s-x') }),
  )
}

/** A feed for some questions. */
export function feedFor(where: (request: SiteRequest) => boolean): Fault {
  return inReply(
    (request, reply) => isConverse(request) && isSuccess(reply) && where(request),
    ({ body }) => {
      const payload = { total: 0, items: [] }
      put(body, 'response', { ...(at(body, 'response') as Draft), content_type: 'application/feed', payload })
      put(body, 'meta.content_type', 'application/feed')
    },
  )
}

/** A change of the first page. */
export function inPage(change: (html: string) => string): Fault {
  return inReply(
    ({ path }, { body }) => path === '/' && typeof body === 'string',
    (reply) => (reply.body = change(String(reply.body))),
  )
}
