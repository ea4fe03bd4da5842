import { MIMEType } from 'whatwg-mimetype'
import type { CoreRequest } from './core-message.js'
import { invalidRequest, Refusal } from './refusal.js'
import { readWholeBody } from './read-whole-body.js'
import { refusesJson } from './refuses-json.js'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads a body of at most so many bytes that says it is JSON, in UTF-8. */
export async function readBodyText(request: CoreRequest, maxBytes: number): Promise<string | Refusal> {
  if (refusesJson(request.header('accept')))
    return invalidRequest('There is no other answer than JSON.', { status: 406 })
  const declared = Number(request.header('content-length') ?? '0')
  const body = declared > maxBytes ? 413 : await readWholeBody(request, maxBytes)
  if (body === 400) return invalidRequest('The body could not be read to its end.')
  if (body === 413) {
    const message = `The body of a request has at most ${maxBytes} bytes.`
    return new Refusal({ code: 'request_too_large', message })
  }
  if (!isJson(request.header('content-type')))
    return invalidRequest('The body must be application/json in UTF-8.', { status: 415 })
  const coding = request.header('content-encoding')
  if (coding !== null && coding.trim().toLowerCase() !== 'identity')
    return invalidRequest('The body must not be compressed.', { status: 415 })
  try {
    return decoder.decode(body)
  } catch {
    return invalidRequest('The body is not JSON in UTF-8.')
  }
}

/** `application/json`, or a type with the suffix `+json`. A charset, if given, is a label of UTF-8 by the Encoding Standard. */
function isJson(contentType: string | null): boolean {
  if (contentType === 'application/json') return true
  const type = contentType === null ? null : MIMEType.parse(contentType)
  if (type?.type !== 'application') return false
  if (type.subtype !== 'json' && !type.subtype.endsWith('+json')) return false
  const charset = type.parameters.get('charset')?.trim().toLowerCase()
  return charset === undefined || charset === 'utf-8' || charset === 'utf8'
}
