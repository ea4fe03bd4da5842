import { validateDocument, type AadpVersion } from '@doorplate/aadp-schemas'
import { isJsonContentType } from './decode-json.js'
import type { AadpErrorEnvelope } from '../errors.js'

/** Longer bodies are not looked at. */
const MAX_ENVELOPE_BYTES = 262_144

/** The AADP error document in a response that is no success, if its body is one. */
export function errorEnvelope(
  version: AadpVersion,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array },
): AadpErrorEnvelope | undefined {
  if (!isJsonContentType(headers['content-type']) || body.byteLength > MAX_ENVELOPE_BYTES) return undefined
  try {
    const data: unknown = JSON.parse(new TextDecoder().decode(body))
    return validateDocument({ version, kind: 'error', data }).valid
      ? (data as { error: AadpErrorEnvelope }).error
      : undefined
  } catch {
    return undefined
  }
}
