import type { Finding } from './outcome.js'
import type { RequestFailure } from './request-port.js'

/** What to say of a request that got no response, and how to put it right: by the network, not by the site. */
export function noResponse({ code, message }: RequestFailure): Required<Pick<Finding, 'message' | 'hint'>> {
  const said = `No response: ${message} (${code})`
  if (code !== 'blocked')
    return { message: said, hint: 'See that the host answers where the checks run: name, port, certificate.' }
  return {
    message: `${said} --allow-private-network lets the host of the base URL be a private one, --dangerously-allow another.`,
    hint: 'Run the checks where the host is public, or allow it if it is yours.',
  }
}
