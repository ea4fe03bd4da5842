import { hideSecrets } from './hide-secrets.js'
import type { ProbeRequest } from './request-port.js'
import { visibleText } from './visible-text.js'

/**
 * The command that sends a request again and shows what comes back, for a POSIX shell. Undefined for a GET that its URL
 * tells alone, and for what is too long to be pasted. Secrets are left out, and header fields that every request has.
 */
export function curlCommand(
  { url, method = 'GET', headers = {}, body }: ProbeRequest,
  secrets: readonly string[],
): string | undefined {
  const fields = Object.entries(headers)
  const isTold = method === 'GET' && body === undefined && fields.every(([name]) => name === 'accept')
  if (isTold) return undefined
  const word = (text: string): string => quoted(visibleText(hideSecrets(text, secrets), Infinity))
  const command = [
    // Brackets in a URL are no pattern; -I, because curl waits for a body where HEAD is only the method.
    method === 'HEAD' ? 'curl -gI' : `curl -gi -X ${word(method)}`,
    word(url),
    ...fields.map(([name, value]) => `-H ${word(`${name}: ${value}`)}`),
    // Unlike --data, it reads no file where the text begins with an @.
    ...(body === undefined ? [] : [`--data-raw ${word(body)}`]),
  ].join(' ')
  return command.length > MAX_LENGTH ? undefined : command
}

const MAX_LENGTH = 2_048

/** One word of a POSIX shell (XCU 2.2.2), in quotes where a character of it could mean something. */
function quoted(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
