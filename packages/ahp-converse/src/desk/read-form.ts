import type { CoreRequest } from '../server/core-message.js'

const FORM = /^application\/x-www-form-urlencoded(?:;|$)/i

/** The fields of a form, or the status that refuses it. */
export async function readForm(request: CoreRequest, maxBytes: number): Promise<URLSearchParams | 413 | 415> {
  if (!FORM.test(request.header('content-type') ?? '')) return 415
  const bytes = await request.readBody(maxBytes)
  return bytes === undefined ? 413 : new URLSearchParams(new TextDecoder().decode(bytes))
}
