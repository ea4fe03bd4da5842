import { MANIFEST_MEDIA_TYPE } from './well-known.js'

/** What a negotiation looks at; every `Request` has it. */
export interface NegotiableRequest {
  readonly method: string
  readonly headers: { get(name: string): string | null }
}

/**
 * True when a GET or HEAD asks for the manifest: its `Accept` names `application/agent+json` with a weight above zero.
 * A range such as `*` for any type does not name it. Responses that depend on this carry `Vary: Accept`.
 */
export function negotiateManifest({ method, headers }: NegotiableRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const accept = headers.get('accept') ?? ''
  return accept.length <= MAX_ACCEPT_LENGTH && members(accept).some(namesManifest)
}

const MAX_ACCEPT_LENGTH = 8192

/** The members of a list whose commas may stand in quoted strings. */
function members(fieldValue: string): string[] {
  return fieldValue.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g) ?? []
}

function namesManifest(member: string): boolean {
  const [mediaType = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
  if (mediaType !== MANIFEST_MEDIA_TYPE) return false
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return weight === undefined || Number.parseFloat(weight) > 0
}
