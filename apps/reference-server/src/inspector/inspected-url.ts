import { InspectionRefusal } from './refusal.js'

const MAX_LENGTH = 2048
/** Those that sites of people are on: others are more likely asked for to find out what listens there. */
export const INSPECTED_PORTS: readonly number[] = [80, 443, 8080, 8443]

/**
 * What somebody typed as the URL to begin with, without a fragment; a bare name of a host means https. Whether the host is
 * public is not judged here. Throws `InspectionRefusal`.
 */
export function inspectedUrl(text: string, { origin }: { readonly origin: string }): URL {
  const entered = text.trim()
  if (entered === '') throw new InspectionRefusal('no_url', 'Enter the address of a site.')
  if (entered.length > MAX_LENGTH)
    throw new InspectionRefusal('too_long', `An address has at most ${String(MAX_LENGTH)} characters here.`)
  const url = parsed(/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(entered) ? entered : `https://${entered}`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new InspectionRefusal('scheme', 'Only sites of http and https are inspected.')
  if (url.username !== '' || url.password !== '')
    throw new InspectionRefusal('credentials', 'Leave the user name and the password out of the address.')
  if (url.origin !== origin && url.port !== '' && !INSPECTED_PORTS.includes(Number(url.port)))
    throw new InspectionRefusal('port', `Only the ports ${INSPECTED_PORTS.join(', ')} are inspected.`)
  url.hash = ''
  return url
}

function parsed(text: string): URL {
  // A URL parser drops tabs and line breaks without a word.
  if (URL.canParse(text) && !/\s/.test(text)) return new URL(text)
  throw new InspectionRefusal(
    'no_such_url',
    'That is no address of a site. One looks like https://books.example.',
  )
}
