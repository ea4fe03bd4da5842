import type { AadpVersion } from '@doorplate/aadp-schemas'
import { parseRetryAfter } from '@doorplate/safe-fetch'
import { Budget } from '../options/budget.js'
import { MAX_MANIFEST_BYTES, type ResolvedOptions } from '../options/client-options.js'
import { Credentials, type CarriedCredential } from './credentials.js'
import { decodeText, isJsonContentType } from '../documents/decode-json.js'
import { AadpClientError, AadpRequestError, AadpTransportError, isAadpClientError } from '../errors.js'
import { errorEnvelope } from '../documents/error-envelope.js'
import { httpUrl } from '../documents/http-url.js'
import { OriginGate } from './origin-gate.js'
import { readDocument } from '../documents/read-document.js'
import { MAX_ROBOTS_BYTES, Robots } from '../transport/robots.js'
import { settleInTime } from '../waiting/settle-in-time.js'
import { sleep } from '../waiting/sleep.js'
import { createTransport, transportError } from '../transport/create-transport.js'
import type { Transport, TransportResponse } from '../transport/transport.js'
import type { DocumentKind, DocumentTypes, NamedSecurityScheme, Wire } from '../documents/wire.js'

export interface GetOptions {
  readonly maxResponseBytes?: number
  /** Headers that make the request conditional; a 304 is then an answer. */
  readonly conditions?: Readonly<Record<string, string>> | undefined
  /** What the manifest says about access. */
  readonly scheme?: NamedSecurityScheme | undefined
}

interface SendOptions extends GetOptions {
  /** Whether any status is an answer. Default: a success, or a 304 to a conditional request. */
  readonly anyStatus?: boolean
}

/** Gets documents of one protocol version on behalf of one call: with its headers, budget, politeness and retries. */
export class Reader<V extends AadpVersion> {
  readonly wire: Wire<V>
  readonly budget: Budget
  readonly #options: ResolvedOptions
  readonly #signal: AbortSignal | undefined
  readonly #startOrigin: string
  readonly #transport: Transport
  readonly #gate: OriginGate
  readonly #publicHeaders: Readonly<Record<string, string>>
  readonly #credentials: Credentials
  readonly #robots: Robots | undefined
  /** At once, so that neither many responses at a time nor those that fail can bring more than is allowed. */
  readonly #onBytes = (count: number): void => {
    this.budget.chargeBytes(count)
  }
  #lastOrigin: string

  constructor(wire: Wire<V>, startUrl: string, options: ResolvedOptions) {
    this.wire = wire
    this.budget =
      options.budget ??
      new Budget({ maxPages: Infinity, maxEntities: Infinity, deadlineMs: Infinity }, options.now)
    this.#options = options
    this.#signal = options.signal
    this.#startOrigin = httpUrl(startUrl).origin
    this.#lastOrigin = this.#startOrigin
    this.#transport = createTransport(options.fetch)
    this.#gate = new OriginGate(options)
    this.#publicHeaders = { accept: 'application/json', 'user-agent': options.userAgent }
    this.#credentials = new Credentials(options.credentials, options.credentialOrigins ?? [this.#startOrigin])
    this.#robots = options.respectRobots
      ? new Robots({
          userAgent: options.userAgent,
          get: (url) =>
            this.#send(this.#locate(url), { maxResponseBytes: MAX_ROBOTS_BYTES, anyStatus: true }),
        })
      : undefined
  }

  /** Gets and reads a document. */
  async document<K extends DocumentKind>(
    kind: K,
    url: string,
    options: GetOptions = {},
  ): Promise<DocumentTypes[V][K]> {
    return this.read(kind, await this.get(kind, url, options), url)
  }

  /** The document in a response. */
  read<K extends DocumentKind>(kind: K, response: TransportResponse, url: string): DocumentTypes[V][K] {
    return readDocument(this.wire, kind, this.text(response, url), url)
  }

  /** The JSON text of a response. */
  text({ headers, body }: TransportResponse, url: string): string {
    if (!isJsonContentType(headers['content-type'])) {
      throw new AadpClientError('invalid_content_type', `Not served as application/json: ${url}`, { url })
    }
    return decodeText(body, url)
  }

  /** A successful response, or a 304 to a conditional request. */
  get(kind: DocumentKind, url: string, options: GetOptions = {}): Promise<TransportResponse> {
    const target = this.#locate(url)
    const limited = kind === 'manifest' ? { ...options, maxResponseBytes: MAX_MANIFEST_BYTES } : options
    return this.#robots || this.#options.retry.maxAttempts > 1
      ? this.#getPatiently(target, limited)
      : this.#send(target, limited)
  }

  /** Asks robots.txt first, and again after a failure, where the options want that. */
  async #getPatiently(target: Target, options: GetOptions): Promise<TransportResponse> {
    for (let attempt = 1; ; attempt++) {
      try {
        if (this.#robots) await this.#requireAllowed(this.#robots, target)
        return await this.#send(target, options)
      } catch (error) {
        const delayMs = this.#retryDelayMs(error, attempt)
        if (delayMs === undefined) throw error
        await sleep(delayMs, this.#signal)
      }
    }
  }

  /**
   * A URL that begins with an origin and a slash is of that origin, whatever follows: the parser reads no further for it. So the
   * entities of a site need not be parsed here, the transport does that.
   */
  #locate(url: string): Target {
    const origin = this.#lastOrigin
    if (typeof url === 'string' && url.startsWith(origin) && url[origin.length] === '/' && !url.includes('#'))
      return { href: url, origin }
    const parsed = httpUrl(url)
    this.#lastOrigin = parsed.origin
    return { href: parsed.href, origin: parsed.origin }
  }

  async #requireAllowed(robots: Robots, { href: url }: Target): Promise<void> {
    if (await robots.allows(new URL(url))) return
    throw new AadpClientError('disallowed_by_robots', `robots.txt disallows ${url}`, { url })
  }

  /** One request when its turn has come. */
  async #send(
    { origin, href }: Target,
    { maxResponseBytes = Infinity, conditions, scheme, anyStatus = false }: SendOptions,
  ): Promise<TransportResponse> {
    const carried = scheme && (await this.#carry(href, scheme))
    const latestAtMs = this.budget.startedAtMs + this.budget.limits.deadlineMs
    const entering = this.#gate.enter(origin, latestAtMs, this.#signal)
    if (entering && !(await entering)) throw this.budget.exceeded('deadlineMs')
    const maxBytes = Math.min(maxResponseBytes, this.#options.maxResponseBytes)
    const leftBytes = this.budget.remainingBytes()
    try {
      this.#signal?.throwIfAborted()
      this.budget.chargeRequest()
      const response = await this.#transport(carried?.url ?? href, {
        publicHeaders: conditions ? { ...this.#publicHeaders, ...conditions } : this.#publicHeaders,
        scopedHeaders: this.#scopedHeaders(origin, carried?.headers),
        timeoutMs: Math.max(1, Math.min(this.#options.timeoutMs, Math.ceil(this.budget.remainingMs()))),
        maxResponseBytes: Math.min(maxBytes, leftBytes),
        maxRedirects: this.#options.maxRedirects,
        signal: this.#signal,
        onBytes: this.#onBytes,
      })
      if (!anyStatus && !isAnswer(response.status, conditions !== undefined)) {
        throw this.#refused(href, response)
      }
      return carried?.inUrl ? { ...response, url: href } : response
    } catch (thrown) {
      const error = transportError(thrown, href)
      if (!(error instanceof AadpTransportError)) throw error
      // A limit that was narrowed by the budget is the budget's.
      if (error.code === 'timeout' && this.budget.remainingMs() <= 0) throw this.budget.exceeded('deadlineMs')
      if (error.code === 'response_too_large' && leftBytes < maxBytes)
        throw this.budget.exceeded('maxTotalBytes')
      // A cause that saw a secret in the URL is not passed on.
      throw carried?.inUrl ? new AadpTransportError(error.code, href) : error
    } finally {
      this.#gate.leave(origin)
    }
  }

  /** Obtaining a secret may take for ever, the run may not. */
  #carry(href: string, scheme: NamedSecurityScheme): Promise<CarriedCredential | undefined> {
    return settleInTime(this.#credentials.carry(new URL(href), scheme), {
      signal: this.#signal,
      timeoutMs: this.budget.remainingMs(),
      late: () => this.budget.exceeded('deadlineMs'),
    })
  }

  #scopedHeaders(
    origin: string,
    carried: Readonly<Record<string, string>> | undefined,
  ): Readonly<Record<string, string>> | undefined {
    const own = origin === this.#startOrigin ? this.#options.headers : undefined
    return carried ? { ...own, ...carried } : own
  }

  #refused(url: string, response: TransportResponse): AadpRequestError {
    const { status, headers } = response
    const retryAfterMs = parseRetryAfter(headers['retry-after'] ?? '', this.#options.now()) ?? undefined
    if (retryAfterMs !== undefined && (status === 429 || status === 503)) {
      this.#gate.pause(new URL(url).origin, retryAfterMs)
    }
    return new AadpRequestError(url, status, {
      envelope: errorEnvelope(this.wire.version, response),
      retryAfterMs,
    })
  }

  /** `undefined`: not tried again. After a Retry-After the gate makes the next attempt wait. */
  #retryDelayMs(error: unknown, attempt: number): number | undefined {
    const { retry, random } = this.#options
    if (attempt >= retry.maxAttempts || !isRetryable(error)) return undefined
    const asked = error instanceof AadpRequestError ? error.retryAfterMs : undefined
    if (asked !== undefined)
      return asked <= retry.maxDelayMs && asked < this.budget.remainingMs() ? 0 : undefined
    const delayMs = random() * Math.min(retry.maxDelayMs, retry.baseDelayMs * 2 ** (attempt - 1))
    return delayMs < this.budget.remainingMs() ? delayMs : undefined
  }
}

/** Where a request goes. */
interface Target {
  readonly href: string
  readonly origin: string
}

function isAnswer(status: number, isConditional: boolean): boolean {
  return (status >= 200 && status < 300) || (status === 304 && isConditional)
}

function isRetryable(error: unknown): boolean {
  if (error instanceof AadpRequestError) return [429, 502, 503, 504].includes(error.status)
  return isAadpClientError(error, 'network_error') || isAadpClientError(error, 'timeout')
}
