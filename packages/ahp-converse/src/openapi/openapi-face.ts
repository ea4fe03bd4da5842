import type { Capability } from '@doorplate/ahp-manifest'
import { checkPath } from '../server/check-path.js'
import type { CoreRequest, CoreResponse } from '../server/core-message.js'
import { READABLE_BY_ALL } from '../server/cross-origin.js'
import type { Face, FaceExchange, FaceSite, OpenFace } from '../server/face.js'
import { fromFlatRequest } from '../server/flat-request.js'
import { rateLimited } from '../server/refusal.js'
import { sendDocument, sendRefusal } from '../server/send.js'
import { prepareDocument } from '../server/served-document.js'
import { checkMembers } from '../server/state-options.js'
import { describeSite } from './describe-site.js'

/** Options of `openApiFace`. */
export interface OpenApiFaceOptions {
  /** Where the description is. Default: `/openapi.json`. */
  readonly path?: string
}

const CAPABILITIES = '/capabilities/'
const READING = 'GET, HEAD, OPTIONS'
const ASKING = 'POST, OPTIONS'

/**
 * The site for whatever reads OpenAPI 3.1: a description, and `/capabilities/{name}` for each capability, answered as
 * converse answers.
 *
 * @throws {ConverseError} `invalid_option`
 */
export function openApiFace(options: OpenApiFaceOptions = {}): Face {
  checkMembers('openApiFace', options, ['path'])
  const path = checkPath('path', options.path ?? '/openapi.json')
  return { name: 'openapi', path, version: '3.1.0', open: (site) => openOpenApi(site, path) }
}

function openOpenApi(site: FaceSite, path: string): OpenFace {
  const { manifest, publicUrl, contentPath, maxAgeSeconds } = site
  const capabilities = new Map((manifest.capabilities ?? []).map((own) => [own.name, own]))
  const facts = {
    manifest,
    publicUrl,
    hasContent: contentPath !== undefined,
    needsCredential: (name: string) => site.needsCredential(name),
  }
  const described = prepareDocument(`${JSON.stringify(describeSite(facts), null, 2)}\n`, {
    contentType: 'application/json',
    maxAgeSeconds,
  })

  return { methodsAt, respond }

  function methodsAt(asked: string): string | undefined {
    if (asked === path) return READING
    const name = nameIn(asked)
    if (name === undefined) return undefined
    return capabilities.get(name)?.mode === 'MODE1' && contentPath !== undefined ? READING : ASKING
  }

  async function respond(exchange: FaceExchange): Promise<CoreResponse> {
    const { request, caller } = exchange
    if (request.method === 'POST')
      return site.ask(exchange, (json) => fromFlatRequest(capabilityAt(exchange.path), json))
    if (exchange.path !== path && contentPath !== undefined)
      return site.respond(readingOf(contentPath, request))
    const verdict = await site.admit(caller)
    if (!verdict.allowed) return sendRefusal(rateLimited(verdict))
    return sendDocument(request, await described, { ...READABLE_BY_ALL, ...verdict.headers })
  }

  function capabilityAt(asked: string): Pick<Capability, 'name' | 'input_schema'> {
    const name = nameIn(asked) ?? ''
    return capabilities.get(name) ?? { name }
  }
}

function nameIn(path: string): string | undefined {
  return path.startsWith(CAPABILITIES) ? path.slice(CAPABILITIES.length) : undefined
}

/** The same request for another document of ours; what it accepts is the content, not the manifest. */
function readingOf(target: string, request: CoreRequest): CoreRequest {
  return {
    method: request.method,
    target,
    header: (name) => (name === 'accept' ? null : request.header(name)),
    readBody: (maxBytes) => request.readBody(maxBytes),
    remoteAddress: request.remoteAddress,
    get signal() {
      return request.signal
    },
  }
}
