import { REGISTERED_TYPES } from '@doorplate/ahp-manifest'
import { validateResponse } from '@doorplate/ahp-manifest/messages'
import type { Finding } from '@doorplate/conformance-kit'
import { ownMember, ownText } from '../../own-member.js'
import { rule } from '../../requirements.js'
import { isSentAsJson, type Reading } from '../reading.js'

/** What the schemas of responses and payloads refuse, and what they cannot say. */
export function schemaFindings(reading: Reading, status: number): readonly Finding[] {
  const { json, url, request } = reading
  const isMessage = status < 300 && request.method !== 'OPTIONS' && request.method !== 'HEAD'
  if (json === undefined)
    return isMessage
      ? [{ requirement: rule('R-082'), url, message: `Status ${status} with a body that is not JSON.` }]
      : []
  if (isMessage && !isSentAsJson(reading)) {
    const message = `An answer is sent as ${reading.headers['content-type'] ?? 'no type'}.`
    return [{ requirement: rule('RES-001'), url, message, advisory: true }]
  }
  if (!isMessage && ownMember(json, 'status') !== 'error') return []
  const issues = validateResponse(json).issues.filter(({ path }) => isMessage || path !== '/code')
  return [
    ...issues.map(({ rule: requirement, path, message }) => ({ requirement, url, pointer: path, message })),
    ...typeFindings(reading),
    ...payloadFindings(reading),
  ]
}

/** Types of one's own begin with `x-`; what is no type at all is the business of the schema. */
function typeFindings({ json, url }: Reading): readonly Finding[] {
  const type = servedType(json).toLowerCase()
  if (type.startsWith('x-') || REGISTERED_TYPES.some((known) => known === type)) return []
  const message = `The type ${type} is not a registered one, and does not begin with x-.`
  return [{ requirement: rule('R-121'), url, pointer: '/response/content_type', message }]
}

/** `text/answer` has no payload, but nothing bad comes of one that is not looked at. */
function payloadFindings({ json, url }: Reading): readonly Finding[] {
  const payload = ownMember(json, 'response', 'payload') ?? undefined
  if (servedType(json).toLowerCase() !== 'text/answer' || payload === undefined) return []
  const message = 'An answer of type text/answer has a payload, which is of no type.'
  return [{ requirement: rule('R-120'), url, pointer: '/response/payload', message, advisory: true }]
}

/** Whether `meta` says of the type what the answer says. */
export function echoFindings({ json, url }: Reading): readonly Finding[] {
  if (ownMember(json, 'status') !== 'success') return []
  const type = servedType(json)
  const echoed = ownMember(json, 'meta', 'content_type')
  if (echoed === type) return []
  const message = `meta.content_type is ${String(echoed)}, and the answer ${type}.`
  return [{ requirement: rule('R-066'), url, pointer: '/meta/content_type', message }]
}

function servedType(json: unknown): string {
  return ownText(json, 'response', 'content_type') ?? 'text/answer'
}
