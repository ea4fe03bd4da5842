import { linkHeader } from '@doorplate/ahp-manifest'
import { serve } from '@hono/node-server'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { site } from './mode1.js'

/** What the manifest declares: requests of one address, and seconds. */
const [points, duration] = [120, 60]
const limiter = new RateLimiterMemory({ points, duration })

/**
 * Counts before anything else, and tells with every response what is left.
 * @param {Request} request
 * @param {{ incoming: { socket: { remoteAddress?: string | undefined } } }} connection
 */
async function limited(request, { incoming }) {
  const state = await limiter.consume(incoming.socket.remoteAddress ?? '').catch((refused) => refused)
  const seconds = Math.ceil(state.msBeforeNext / 1_000)
  const response = state.consumedPoints > points ? refusal(seconds) : await site(request)
  response.headers.set('x-ratelimit-limit', String(points))
  response.headers.set('x-ratelimit-remaining', String(state.remainingPoints))
  response.headers.set('x-ratelimit-reset', String(Math.floor(Date.now() / 1_000) + seconds))
  response.headers.set('x-ratelimit-window', String(duration))
  return response
}

/** @param {number} seconds */
function refusal(seconds) {
  const error = { status: 'error', code: 'rate_limited', message: 'Too many requests.', retry_after: seconds }
  return Response.json(error, {
    status: 429,
    headers: { 'retry-after': String(seconds), link: linkHeader() },
  })
}

serve({ fetch: limited, port: Number(process.env.PORT ?? 3000) }, () => console.log('ready'))
