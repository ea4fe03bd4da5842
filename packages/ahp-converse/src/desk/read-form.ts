import type { CoreRequest } from '../server/core-message.js'
import { readWholeBody } from '../server/read-whole-body.js'

const FORM = /^application\/x-www-form-urlencoded(?:;|$)/i

/** The fields of a form, or the status that refuses it. */
export async function readForm(
  request: CoreRequest,
  maxBytes: number,
): Promise<URLSearchParams | 400 | 413 | 415> {
  if (!FORM.test(request.header('content-type') ?? '')) return 415
  const body = await readWholeBody(request, maxBytes)
  return typeof body === 'number' ? body : new URLSearchParams(new TextDecoder().decode(body))
}
