import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from './logger.js'
import type { SiteMetrics } from './site-metrics.js'

export interface Watchers {
  readonly logger: Logger
  readonly metrics: SiteMetrics
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']

/** Counts every request and writes a line about it, under the id that its answer names. */
export function watchExchanges(
  routeOf: (target: string) => { readonly face: string; readonly answer: Listener },
  { logger, metrics }: Watchers,
): Listener {
  const isLogged = logger.isLevelEnabled('info')

  return (request, response) => {
    const start = performance.now()
    const { face, answer } = routeOf(request.url ?? '/')
    if (isLogged) response.setHeader('x-request-id', randomUUID())
    response.on('close', () => {
      const { method = '' } = request
      const exchange = {
        face,
        method: METHODS.includes(method) ? method : 'other',
        status: response.writableFinished ? response.statusCode : undefined,
        durationMs: performance.now() - start,
      }
      metrics.countExchange(exchange)
      if (!isLogged && (exchange.status ?? 0) < 500) return
      const requestId = response.getHeader('x-request-id')
      const level = (exchange.status ?? 0) >= 500 ? 'warn' : 'info'
      logger[level](
        { requestId, ...exchange, isAborted: exchange.status === undefined || undefined },
        'request',
      )
    })
    answer(request, response)
  }
}
