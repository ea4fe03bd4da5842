import { negotiateManifest } from '@doorplate/ahp-manifest'
import type { Awaitable } from './awaitable.js'
import { type AddressReader, UNKNOWN_ADDRESS } from './client-address.js'
import type { Ask } from './converse.js'
import type { ConverseCall } from './converse-call.js'
import type { ConverseReply } from './reply-of.js'
import type { CoreRequest, CoreResponse } from './core-message.js'
import { credentialIn } from './credential.js'
import { createCrossOrigin, preflightHeaders, READABLE_BY_ALL } from './cross-origin.js'
import type { Face, FaceExchange, FaceSite, OpenFace } from './face.js'
import { type FaultListener, refuseForFault } from './fault.js'
import type { SignedRequest } from './identify-agent.js'
import { HttpAskCall } from './http-call.js'
import type { RateLimits, RateVerdict } from './limits/rate-limits.js'
import { mergedFields } from './merged-fields.js'
import type { PollCall } from './poll.js'
import { readBodyText } from './read-body-text.js'
import { parseJson } from './read-json-body.js'
import type { Question, QuestionReader } from './read-question.js'
import { invalidRequest, rateLimited, Refusal } from './refusal.js'
import { type Endpoint, localTarget, pathOf, type Routes } from './routes.js'
import { replyText } from './reply-text.js'
import { sendDocument, sendJson, sendJsonText, sendRefusal } from './send.js'
import type { SiteDocuments } from './site-documents.js'

/** The pure core: it rejects only when the visitor is gone, with the reason of its signal. */
export interface Responder {
  respond(request: CoreRequest): Promise<CoreResponse>
  /** Answers what never became a request, and counts it as reading. */
  refuse(refused: Refused): Promise<CoreResponse>
  /** What a URL or path leads to: an endpoint, or a face by its name; undefined where it is not the concierge's. */
  routeOf(target: string): string | undefined
}

/** What a server that speaks HTTP for the concierge refuses by itself. */
export interface Refused {
  /** From 400 to 499. */
  readonly status: number
  /** Is sent. */
  readonly message: string
  readonly remoteAddress: string | undefined
}

export interface ResponderParts {
  readonly routes: Routes
  readonly faces: readonly Pick<Face, 'name' | 'open'>[]
  /** What faces are told besides the ways to an answer. */
  readonly site: Omit<FaceSite, 'converse' | 'admit' | 'ask' | 'respond'>
  readonly readAddress: AddressReader
  readonly limits: RateLimits
  readonly questions: QuestionReader
  readonly ask: Ask
  readonly converse: (call: ConverseCall) => Promise<ConverseReply>
  readonly poll: (call: PollCall) => Promise<ConverseReply>
  /** Whether requests are to be looked at for the signature of an agent. */
  readonly readsSignatures: boolean
  readonly documents: SiteDocuments
  /** The value of the `Link` field. */
  readonly link: string
  readonly maxRequestBytes: number
  readonly onError: FaultListener
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
  const { routes, readAddress, limits, questions, poll, documents, link, maxRequestBytes, onError } = parts
  const crossOrigin = createCrossOrigin(parts.site.allowOrigins, { link })
  const toAll = mergedFields({ link }, READABLE_BY_ALL)
  const site: FaceSite = {
    ...parts.site,
    converse: parts.converse,
    admit: async (caller) => admit(caller),
    ask: (exchange, asked) => ask(exchange, (text) => askedIn(text, asked)),
    respond,
  }
  const faces = parts.faces.map((face) => ({ name: face.name, ...face.open(site) }))

  return { respond, refuse, routeOf }

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
    const common = isPublic || isNowhere ? toAll : crossOrigin(request.header('origin'))
    const exchange = { request, path, caller: callerOf(request) }
    if (endpoint === 'converse' && request.method === 'POST')
      return ask(exchange, (text) => questions.readText(text), common)
    if (endpoint === 'status' && (request.method === 'GET' || request.method === 'HEAD'))
      return withoutBodyToHead(request, withHeaders(await answerPoll(exchange), common))
    const response =
      face === undefined
        ? await serve(exchange, endpoint, common)
        : withHeaders(await serveFace(face, exchange, common), common)
    return withoutBodyToHead(request, response)
  }

  function refuse({ status, message, remoteAddress }: Refused): Promise<CoreResponse> {
    const caller = { address: readAddress(remoteAddress, null) }
    const code = status === 413 ? 'request_too_large' : 'invalid_request'
    return admitThen(caller, toAll, () => sendRefusal(new Refusal({ code, message }, { status }), toAll))
  }

  function callerOf(request: CoreRequest): FaceExchange['caller'] {
    const address = readAddress(request.remoteAddress, request.header('x-forwarded-for'))
    // Where all strangers share one address, the name of its program is the least that tells a visitor from another.
    const ownerAddress =
      address === UNKNOWN_ADDRESS ? `${address} ${request.header('user-agent') ?? ''}` : undefined
    const credential = credentialIn((name) => request.header(name))
    const signed = parts.readsSignatures ? signedBy(request) : undefined
    return { address, ownerAddress, credential, signed }
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
    read: (text: string) => Question | Refusal,
    common: Headers = {},
  ): Promise<CoreResponse> {
    const text = await readBodyText(request, maxRequestBytes)
    if (text instanceof Refusal) return admitThen(caller, common, () => sendRefusal(text, common))
    const { status, headers, body } = await parts.ask(read(text), new HttpAskCall(caller, request))
    return sendJsonText(status, mergedFields(common, headers), replyText(body))
  }

  function askedIn(text: string, asked: (json: unknown) => unknown): Question | Refusal {
    const body = parseJson(text)
    return body instanceof Refusal ? body : questions.read(asked(body.json))
  }

  function admit({ address }: FaceExchange['caller']): Awaitable<RateVerdict> {
    return limits.take({ address }, 'read')
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
