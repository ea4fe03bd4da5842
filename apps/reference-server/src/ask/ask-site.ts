import type { ConverseResponse } from '@doorplate/ahp-manifest/messages'
import type { Concierge } from '@doorplate/ahp-converse/server'
import { visitorToken } from '../concierge/visitors.js'
import type { DemoTokens } from '../demo-tokens.js'
import { ASK, statusOf, waitPageOf } from '../routes.js'
import { pageResponse, type SiteResponse } from '../site-response.js'
import { problemPage } from '../pages/problem-page.js'
import { askPage, waitPage } from './ask-pages.js'

export interface AskRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly address: string
  /** A field by its lower-case name. */
  readonly header: (name: string) => string | undefined
  /** The body as text; undefined when it has more bytes than that. */
  readonly readBody: (maxBytes: number) => Promise<string | undefined>
}

/** The pages on which people ask. */
export interface AskSite {
  matches(path: string): boolean
  respond(request: AskRequest): Promise<SiteResponse>
}

const WAIT = new RegExp(`^${ASK}/wait/([0-9a-f]{32})$`)
const MAX_FORM_BYTES = 32_768

/** Asks the concierge in this process, for the address that a request is from. */
export function createAskSite(
  concierge: Concierge,
  { origin, tokens }: { readonly origin: string; readonly tokens: DemoTokens },
): AskSite {
  async function respond(request: AskRequest): Promise<SiteResponse> {
    const [, job] = WAIT.exec(request.path) ?? []
    const takes = job === undefined ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD']
    if (!takes.includes(request.method)) return refused(405, { allow: takes.join(', ') })
    if (job !== undefined) return pageResponse(200, waitPage(await statusFor(job, request.address)))
    if (request.method !== 'POST') return pageResponse(200, askPage())
    if (request.header('origin') !== origin) return refused(403)
    const body = await request.readBody(MAX_FORM_BYTES)
    return body === undefined ? refused(413) : ask(new URLSearchParams(body), request.address)
  }

  async function ask(form: URLSearchParams, address: string): Promise<SiteResponse> {
    const query = form.get('query') ?? ''
    const asksPerson = form.get('step') === 'hand-over'
    const [session, reply] = [form.get('session'), form.get('clarification')]
    const { status, body } = await concierge.converse({
      request: {
        capability: asksPerson ? 'human_escalation' : 'site_info',
        query,
        ...(session === null ? {} : { session_id: session }),
        ...(reply === null ? {} : { clarification: reply }),
        ...(asksPerson ? { context: { user_intent: 'asked on the page for questions' } } : {}),
      },
      caller: { address, ...(asksPerson ? { credential: credentialOf(address) } : {}) },
    })
    if (body.status === 'accepted') return seeOther(waitPageOf(body.session_id))
    return pageResponse(status, askPage({ query, reply: body }))
  }

  async function statusFor(job: string, address: string): Promise<ConverseResponse> {
    const { value } = credentialOf(address)
    const { body } = await concierge.respond({
      method: 'GET',
      target: statusOf(job),
      header: (name) => (name === 'authorization' ? `Bearer ${value}` : null),
      readBody: () => Promise.resolve(new Uint8Array()),
      remoteAddress: address,
      signal: new AbortController().signal,
    })
    return JSON.parse(body ?? '{}') as ConverseResponse
  }

  function credentialOf(address: string): { scheme: 'bearer'; value: string } {
    return { scheme: 'bearer', value: visitorToken(address, tokens) }
  }

  return { matches: (path) => path === ASK || WAIT.test(path), respond }
}

function refused(status: number, headers: Readonly<Record<string, string>> = {}): SiteResponse {
  const response = pageResponse(
    status,
    problemPage('Not possible', 'The page is not used like this: ask from its own form.'),
  )
  return { ...response, headers: { ...response.headers, ...headers } }
}

function seeOther(location: string): SiteResponse {
  const response = pageResponse(303, '')
  return { ...response, headers: { ...response.headers, location } }
}
