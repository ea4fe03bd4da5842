import { negotiateManifest } from '@doorplate/ahp-manifest'
import type { AddressReader } from './client-address.js'
import type { ConverseCall } from './converse-call.js'
import type { ConverseReply } from './reply-of.js'
import type { CoreRequest, CoreResponse } from './core-message.js'
import { credentialIn } from './credential.js'
import { createCrossOrigin, preflightHeaders, READABLE_BY_ALL } from './cross-origin.js'
import type { Face, FaceExchange, FaceSite, OpenFace } from './face.js'
import { type FaultListener, refuseForFault } from './fault.js'
import type { SignedRequest } from './identify-agent.js'
import { HttpCall } from './http-call.js'
import type { RateLimits } from './limits/rate-limits.js'
import { mergedFields } from './merged-fields.js'
import type { PollCall } from './poll.js'
import { readJsonBody } from './read-json-body.js'
import { invalidRequest, rateLimited, Refusal } from './refusal.js'
import { type Endpoint, localTarget, pathOf, type Routes } from './routes.js'
import { replyText } from './reply-text.js'
import { sendDocument, sendJson, sendJsonText, sendRefusal } from './send.js'
import type { SiteDocuments } from './site-documents.js'

/** The pure core: it rejects only when the visitor is gone, with the reason of its signal. */
export interface Responder {
  respond(request: CoreRequest): Promise<CoreResponse>
  /** What a URL or path leads to: an endpoint, or a face by its name; undefined where it is not the concierge's. */
  routeOf(target: string): string | undefined
}

export interface ResponderParts {
  readonly routes: Routes
  readonly faces: readonly Pick<Face, 'name' | 'open'>[]
  /** What faces are told besides the ways to an answer. */
  readonly site: Omit<FaceSite, 'converse' | 'admit' | 'ask' | 'respond'>
  readonly readAddress: AddressReader
  readonly limits: RateLimits
  readonly converse: (call: ConverseCall) => Promise<ConverseReply>
  readonly poll: (call: PollCall) => Promise<ConverseReply>
  /** Whether requests are to be looked at for the signature of an agent. */
  readonly readsSignatures: boolean
  readonly documents: SiteDocuments
  /** The value of the `Link` field. */
  readonly link: string
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

export function createResponder(parts: ResponderParts): Responder {
  const { routes, readAddress, limits, converse, poll, documents, link, maxRequestBytes, onError } = parts
  const leading = { link }
  const crossOrigin = createCrossOrigin(parts.site.allowOrigins)
  const admit: FaceSite['admit'] = ({ address }) => limits.take({ address }, 'read')
  const site = { ...parts.site, converse, admit, ask, respond }
  const faces = parts.faces.map((face) => ({ name: face.name, ...face.open(site) }))

  return { respond, routeOf }

  function routeOf(target: string): string | undefined {
    const path = pathOf(target)
    return routes(path) ?? faceAt(path)?.name
  }

  function faceAt(path: string): (OpenFace & Pick<Face, 'name'>) | undefined {
    return faces.find((face) => face.methodsAt(path) !== undefined)
  }

  async function respond(request: CoreRequest): Promise<CoreResponse> {
    const path = pathOf(request.target)
    const endpoint = routes(path)
    const face = endpoint === undefined ? faceAt(path) : undefined
    const isPublic = endpoint === 'manifest' || endpoint === 'content'
    const isNowhere = endpoint === undefined && face === undefined
    const common = mergedFields(
      leading,
      isPublic || isNowhere ? READABLE_BY_ALL : crossOrigin(request.header('origin')),
    )
    const exchange = { request, path, caller: callerOf(request) }
    if (endpoint === 'converse' && request.method === 'POST')
      return withHeaders(await ask(exchange, (json) => json), common)
    if (endpoint === 'status' && (request.method === 'GET' || request.method === 'HEAD'))
      return withoutBodyToHead(request, withHeaders(await answerPoll(exchange), common))
    const response =
      face === undefined
        ? await serve(exchange, endpoint, common)
        : withHeaders(await serveFace(face, exchange, common), common)
    return withoutBodyToHead(request, response)
  }

  function callerOf(request: CoreRequest): FaceExchange['caller'] {
    const address = readAddress(request.remoteAddress, request.header('x-forwarded-for'))
    const credential = credentialIn((name) => request.header(name))
    return parts.readsSignatures
      ? { address, credential, signed: signedBy(request) }
      : { address, credential }
  }

  function signedBy(request: CoreRequest): SignedRequest {
    return {
      method: request.method,
      url: parts.site.publicUrl + localTarget(request.target),
      header: (name) => request.header(name),
    }
  }

  async function answerPoll({ path, caller }: FaceExchange): Promise<CoreResponse> {
    const { status, headers, body } = await poll({ id: path.slice(path.lastIndexOf('/') + 1), caller })
    return sendJson(status, headers, body)
  }

  async function ask(
    { request, caller }: FaceExchange,
    asked: (json: unknown) => unknown,
  ): Promise<CoreResponse> {
    const body = await readJsonBody(request, maxRequestBytes)
    if (body instanceof Refusal) return admitThen(caller, {}, () => sendRefusal(body))
    const reply = await converse(new HttpCall(asked(body.json), caller, request))
    return sendJsonText(reply.status, reply.headers, replyText(reply.body))
  }

  /** What is no question: counted as reading. */
  async function admitThen(
    caller: FaceExchange['caller'],
    common: Headers,
    then: (headers: Headers) => CoreResponse | Promise<CoreResponse>,
  ): Promise<CoreResponse> {
    const verdict = await admit(caller)
    if (!verdict.allowed) return sendRefusal(rateLimited(verdict), common)
    return withHeaders(await then(common), verdict.headers)
  }

  function serve(
    { request, caller }: FaceExchange,
    endpoint: Endpoint | undefined,
    common: Headers,
  ): Promise<CoreResponse> {
    return admitThen(caller, common, async () => {
      if ((endpoint === undefined || endpoint === 'content') && asksForManifest(request))
        return sendDocument(request, await documents.manifest(), common)
      if (endpoint === undefined) return sendRefusal(NOT_FOUND, common)
      const barred = withoutMethod(request, METHODS[endpoint], common)
      if (barred !== undefined) return barred
      try {
        if (endpoint === 'manifest') return sendDocument(request, await documents.manifest(), common)
        return sendDocument(request, await documents.content(), common)
      } catch (error) {
        return sendRefusal(refuseForFault(onError, error), common)
      }
    })
  }

  async function serveFace(face: OpenFace, exchange: FaceExchange, common: Headers): Promise<CoreResponse> {
    const { request, path, caller } = exchange
    const barred = withoutMethod(request, face.methodsAt(path) ?? '', common)
    if (barred !== undefined) return admitThen(caller, common, () => barred)
    try {
      return await face.respond(exchange)
    } catch (error) {
      if (request.signal.aborted) throw request.signal.reason
      return sendRefusal(refuseForFault(onError, error))
    }
  }
}

/** The answer to OPTIONS, and to a method that is not allowed. */
function withoutMethod({ method }: CoreRequest, allow: string, common: Headers): CoreResponse | undefined {
  if (method === 'OPTIONS')
    return { status: 204, headers: { ...common, allow, ...preflightHeaders(common, allow) }, body: null }
  if (allow.split(', ').includes(method)) return undefined
  const message = `Only ${allow} are allowed here.`
  return sendRefusal(invalidRequest(message, { status: 405, headers: { allow } }), common)
}

function asksForManifest(request: CoreRequest): boolean {
  return negotiateManifest({
    method: request.method,
    headers: { get: (name) => request.header(name) },
  })
}

function withHeaders(response: CoreResponse, headers: Headers): CoreResponse {
  return { ...response, headers: mergedFields(headers, response.headers) }
}

function withoutBodyToHead({ method }: CoreRequest, response: CoreResponse): CoreResponse {
  return method === 'HEAD' ? { ...response, body: null } : response
}
