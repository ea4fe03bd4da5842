import { parseRetryAfter } from '@doorplate/safe-fetch'
import { ConverseError } from '../converse-error.js'
import { followRedirects, type FollowedRequest, type Received } from './follow-redirects.js'
import { parseJson } from './parse-json.js'
import { shownUrl } from './site-url.js'
import { createTransport, type Transport } from './transport.js'
import type { ResolvedOptions } from './visit-options.js'

export type RequestToSite = Pick<
  FollowedRequest,
  'method' | 'headers' | 'body' | 'signal' | 'staysOnOrigin'
> & {
  readonly scopedHeaders?: Readonly<Record<string, string>>
}

/**
 * Sends requests and waits as the sites ask: 429 and 503 are tried again, and no request goes to an origin before the time it named.
 */
export class Requester {
  readonly #options: ResolvedOptions
  readonly #transport: Transport
  /** When each origin may be asked again. */
  readonly #opensAtMs = new Map<string, number>()

  constructor(options: ResolvedOptions) {
    this.#options = options
    this.#transport = createTransport(options.fetch)
  }

  /** Any status resolves, 429 only where waiting would not help. Throws `rate_limited` where the wait would be too long. */
  async send(url: string, request: RequestToSite): Promise<Received> {
    const { timeoutMs, maxResponseBytes, maxRedirects, userAgent, retry } = this.#options
    const full: FollowedRequest = {
      ...request,
      headers: { 'user-agent': userAgent, ...request.headers },
      scopedHeaders: request.scopedHeaders ?? {},
      timeoutMs,
      maxResponseBytes,
      maxRedirects,
    }
    const { origin } = new URL(url)
    for (let attempt = 1; ; attempt++) {
      if (this.#opensAtMs.has(origin)) await this.#untilOpen(origin, request.signal)
      const response = await followRedirects(this.#transport, url, full)
      if (response.status !== 429 && response.status !== 503) return response
      const askedMs = this.#askedDelayMs(response)
      if (askedMs === null) return response
      const backoffMs = Math.min(retry.baseDelayMs * 2 ** (attempt - 1), retry.maxDelayMs)
      const atLeastMs = askedMs ?? backoffMs / 2
      const isOver = attempt >= retry.maxAttempts || atLeastMs > retry.maxDelayMs
      const jitterMs = this.#options.random() * Math.min(backoffMs, retry.maxDelayMs - atLeastMs)
      this.#close(origin, isOver ? (askedMs ?? 0) : atLeastMs + jitterMs)
      if (isOver && response.status === 503) return response
      if (isOver) throw rateLimited(url, askedMs ?? backoffMs)
    }
  }

  /** What the site asks for; null: only a new session helps; undefined: it does not say. */
  #askedDelayMs({ headers, body, status }: Received): number | null | undefined {
    const message = status === 429 ? parseJson(body) : undefined
    const stated = ownNumber(message, 'retry_after')
    const inHeader = parseRetryAfter(headers['retry-after'], this.#options.now())
    if (stated === null && (inHeader === null || endsSession(message))) return null
    const inBody = typeof stated === 'number' && stated >= 0 ? stated * 1_000 : undefined
    return inHeader === null ? inBody : Math.max(inHeader, inBody ?? 0)
  }

  #close(origin: string, delayMs: number): void {
    const opensAtMs = this.#options.now() + delayMs
    this.#opensAtMs.set(origin, Math.max(opensAtMs, this.#opensAtMs.get(origin) ?? 0))
  }

  /** The time may be put off while waiting; whoever has waited for all attempts gives up. */
  async #untilOpen(origin: string, signal: AbortSignal | undefined): Promise<void> {
    const { now, retry, sleep } = this.#options
    const patienceMs = retry.maxDelayMs * retry.maxAttempts
    for (let waitedMs = 0; ;) {
      const waitMs = Math.ceil((this.#opensAtMs.get(origin) ?? 0) - now())
      if (waitMs <= 0) break
      if (waitMs > retry.maxDelayMs || waitedMs > patienceMs) throw rateLimited(origin, waitMs)
      await sleep(waitMs, signal)
      waitedMs += waitMs
    }
    this.#opensAtMs.delete(origin)
    signal?.throwIfAborted()
  }
}

/** Such a limit is not about time, and other sessions are not in its reach. */
function endsSession(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || !Object.hasOwn(message, 'scope')) return false
  const { scope } = message as { readonly scope: unknown }
  return scope === 'session' || scope === 'session_tokens'
}

function ownNumber(value: unknown, name: string): number | null | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  const member: unknown = value[name as keyof typeof value]
  return typeof member === 'number' || member === null ? member : undefined
}

function rateLimited(url: string, waitMs: number): ConverseError {
  const retryAfterSeconds = Math.min(Math.ceil(waitMs / 1_000), Number.MAX_SAFE_INTEGER)
  const shown = shownUrl(url)
  const message = `The site wants to be left alone for ${retryAfterSeconds} seconds: ${shown}`
  return new ConverseError('rate_limited', message, { url: shown, status: 429, retryAfterSeconds })
}
