import type { IncomingMessage, ServerResponse } from 'node:http'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]']

/**
 * Leads a browser that calls this machine by another of its names to the published one: forms are taken from there alone. What
 * is no browser is answered at every name.
 */
export function leadToOrigin(answer: Listener, origin: string): Listener {
  const { host: published, hostname, port } = new URL(origin)
  if (!THIS_MACHINE.includes(hostname)) return answer
  const others = new Set(THIS_MACHINE.map((name) => (port === '' ? name : `${name}:${port}`)))
  others.delete(published)

  return (request, response) => {
    const { method, url = '', headers } = request
    const isLed = headers['sec-fetch-mode'] === 'navigate' && others.has(headers.host ?? '')
    if (!isLed || method !== 'GET' || !url.startsWith('/')) answer(request, response)
    else
      response
        .writeHead(307, { location: origin + url, 'cache-control': 'no-store', 'content-length': 0 })
        .end()
  }
}
