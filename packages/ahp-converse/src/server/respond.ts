import { negotiateManifest } from '@doorplate/ahp-manifest'
import type { AddressReader } from './client-address.js'
import type { ConverseCall, ConverseReply } from './converse.js'
import type { CoreRequest, CoreResponse } from './core-message.js'
import { credentialIn } from './credential.js'
import { createCrossOrigin, preflightHeaders, READABLE_BY_ALL } from './cross-origin.js'
import { type FaultListener, refuseForFault } from './fault.js'
import type { RateLimits } from './limits/rate-limits.js'
import { readJsonBody } from './read-json-body.js'
import { invalidRequest, rateLimited, Refusal } from './refusal.js'
import { type Endpoint, pathOf, type Routes } from './routes.js'
import { isKnown, type ServedDocument } from './served-document.js'
import type { SiteDocuments } from './site-documents.js'

/** The pure core: it rejects only when the visitor is gone, with the reason of its signal. */
export type Responder = (request: CoreRequest) => Promise<CoreResponse>

export interface ResponderParts {
  readonly routes: Routes
  readonly readAddress: AddressReader
  readonly limits: RateLimits
  readonly converse: (call: ConverseCall) => Promise<ConverseReply>
  readonly documents: SiteDocuments
  /** The value of the `Link` field. */
  readonly link: string
  readonly allowOrigins: readonly string[]
  readonly maxRequestBytes: number
  readonly onError: FaultListener | undefined
}

type Headers = Readonly<Record<string, string>>

const READING = 'GET, HEAD, OPTIONS'
const METHODS: Readonly<Record<Endpoint, string>> = {
  manifest: READING,
  content: READING,
  converse: 'POST, OPTIONS',
  status: READING,
}

/** What is found at a path depends on `Accept`. */
const NOT_FOUND = invalidRequest('There is nothing here.', { status: 404, headers: { vary: 'Accept' } })
const NO_JOB = invalidRequest('There is no such job.', { status: 404 })

export function createResponder(parts: ResponderParts): Responder {
  const { routes, readAddress, limits, converse, documents, link, maxRequestBytes, onError } = parts
  const crossOrigin = createCrossOrigin(parts.allowOrigins)

  return async function respond(request) {
    const endpoint = routes(pathOf(request.target))
    const isPublic = endpoint === 'manifest' || endpoint === 'content' || endpoint === undefined
    const common = { link, ...(isPublic ? READABLE_BY_ALL : crossOrigin(request.header('origin'))) }
    const address = readAddress(request.remoteAddress, request.header('x-forwarded-for'))
    if (endpoint === 'converse' && request.method === 'POST') return answerPost(request, address, common)
    return withoutBodyToHead(request, await serve(request, endpoint, address, common))
  }

  async function answerPost(request: CoreRequest, address: string, common: Headers): Promise<CoreResponse> {
    const body = await readJsonBody(request, maxRequestBytes)
    if (body instanceof Refusal) return admitThen(address, common, () => refuse(body, common))
    const caller = { address, credential: credentialIn((name) => request.header(name)) }
    const {
      status,
      headers,
      body: reply,
    } = await converse({
      request: body.json,
      caller,
      get signal() {
        return request.signal
      },
    })
    return jsonResponse(status, { ...common, ...headers }, reply)
  }

  /** What is no question: counted as reading. */
  async function admitThen(
    address: string,
    common: Headers,
    then: (headers: Headers) => CoreResponse | Promise<CoreResponse>,
  ): Promise<CoreResponse> {
    const verdict = await limits.take({ address }, 'read')
    if (!verdict.allowed) return refuse(rateLimited(verdict), common)
    const { headers, ...response } = await then(common)
    return { ...response, headers: { ...headers, ...verdict.headers } }
  }

  function serve(
    request: CoreRequest,
    endpoint: Endpoint | undefined,
    address: string,
    common: Headers,
  ): Promise<CoreResponse> {
    return admitThen(address, common, async () => {
      const { method } = request
      if ((endpoint === undefined || endpoint === 'content') && asksForManifest(request))
        return documentResponse(request, await documents.manifest(), common)
      if (endpoint === undefined) return refuse(NOT_FOUND, common)
      const allow = METHODS[endpoint]
      if (method === 'OPTIONS')
        return { status: 204, headers: { ...common, allow, ...preflightHeaders(common, allow) }, body: null }
      if (!allow.split(', ').includes(method)) {
        const message = `Only ${allow} are allowed here.`
        return refuse(invalidRequest(message, { status: 405, headers: { allow } }), common)
      }
      try {
        if (endpoint === 'manifest') return documentResponse(request, await documents.manifest(), common)
        if (endpoint === 'content') return documentResponse(request, await documents.content(), common)
      } catch (error) {
        return refuse(refuseForFault(onError, error), common)
      }
      return refuse(NO_JOB, common)
    })
  }
}

function asksForManifest(request: CoreRequest): boolean {
  return negotiateManifest({
    method: request.method,
    headers: { get: (name) => request.header(name) },
  })
}

function documentResponse(request: CoreRequest, document: ServedDocument, common: Headers): CoreResponse {
  if (isKnown(document, request.header('if-none-match')))
    return { status: 304, headers: { ...common, ...document.validators }, body: null }
  return { status: 200, headers: { ...common, ...document.headers }, body: document.body }
}

function refuse({ status, headers, body }: Refusal, common: Headers): CoreResponse {
  return jsonResponse(status, { ...common, ...headers }, body)
}

function jsonResponse(status: number, headers: Headers, body: object): CoreResponse {
  return {
    status,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body: JSON.stringify(body),
  }
}

function withoutBodyToHead({ method }: CoreRequest, response: CoreResponse): CoreResponse {
  return method === 'HEAD' ? { ...response, body: null } : response
}
