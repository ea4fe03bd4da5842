import type { Finding } from '@doorplate/conformance-kit'
import { rule } from '../../requirements.js'
import type { Reading } from '../reading.js'

/**
 * Whether a body repeats a credential. To whom it belongs that is only careless, for the specification has no word on it;
 * told to whom did not send it, it is a breach of everything.
 */
export function credentialFindings(
  { text, json, url, request, status }: Reading,
  secrets: readonly string[],
): readonly Finding[] {
  // Texts in JSON may be written in more than one way.
  const texts = [text, ...(text.includes('\\') && json !== undefined ? [JSON.stringify(json)] : [])]
  const told = secrets.find((secret) =>
    texts.some((body) => body.includes(secret) || body.includes(JSON.stringify(secret).slice(1, -1))),
  )
  if (told === undefined || told.length < MIN_LENGTH) return []
  const sent = `${Object.values(request.headers ?? {}).join(' ')} ${request.body ?? ''} ${request.url}`
  const advisory = sent.includes(told)
  const whose = advisory ? 'of its own request' : 'that its request did not hold'
  const message = `The response with status ${String(status)} repeats the credential ${whose}.`
  return [{ requirement: rule('R-076'), url, message, advisory }]
}

/** A shorter one may be a word like any other. */
const MIN_LENGTH = 8
