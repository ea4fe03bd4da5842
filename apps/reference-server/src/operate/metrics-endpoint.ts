import type { IncomingMessage, ServerResponse } from 'node:http'
import { sameSecret } from '@doorplate/ahp-converse/server'
import type { Settings } from '../settings/settings.js'
import type { SiteMetrics } from './site-metrics.js'

export type MetricsSettings = Pick<Settings, 'metricsToken' | 'publicUrl' | 'trustedProxies'>

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/
/** Any other name of it may be one that a web page on this machine was led here by (DNS rebinding). */
const OWN_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/
/** What proxies add. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const

/**
 * Shows the metrics to who has the token. Without a token they are for this machine, and only as long as nothing says that the
 * world comes in through a proxy on it: to all others there is nothing here.
 */
export function metricsEndpoint(
  metrics: SiteMetrics,
  { metricsToken, publicUrl, trustedProxies }: MetricsSettings,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const isBehindProxy = publicUrl !== undefined || trustedProxies.length > 0

  async function refusal(request: IncomingMessage): Promise<number | undefined> {
    if (metricsToken === undefined) return isBehindProxy || !isFromHere(request) ? 404 : undefined
    const [, token = ''] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    return (await sameSecret(token, metricsToken)) ? undefined : 401
  }

  return async (request, response) => {
    const status = (await refusal(request)) ?? (isRead(request) ? undefined : 405)
    if (status !== undefined) {
      const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {}
      response.writeHead(status, { ...PRIVATE, ...challenge, 'content-length': 0 }).end()
      return
    }
    const text = await metrics.text()
    response.writeHead(200, { ...PRIVATE, 'content-type': metrics.contentType }).end(text)
  }
}

const PRIVATE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

function isFromHere({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = FORWARDED.some((name) => headers[name] !== undefined)
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '') && OWN_HOST.test(headers.host ?? '')
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}
