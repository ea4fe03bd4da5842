import type { Robot } from 'robots-parser'
import { isAadpClientError } from '../errors.js'
import type { TransportResponse } from './transport.js'

/** RFC 9309 section 2.5: at least this much of the file must be read. */
export const MAX_ROBOTS_BYTES = 524_288

export interface RobotsOptions {
  readonly userAgent: string
  /** Gets a URL; rejects when there is no response. Any status resolves. */
  get(url: string): Promise<TransportResponse>
}

/** What robots.txt of each origin says, fetched once (RFC 9309). */
export class Robots {
  readonly #options: RobotsOptions
  readonly #files = new Map<string, Promise<Pick<Robot, 'isAllowed'>>>()

  constructor(options: RobotsOptions) {
    this.#options = options
  }

  async allows(url: URL): Promise<boolean> {
    let file = this.#files.get(url.origin)
    if (!file) {
      file = this.#load(new URL('/robots.txt', url).href)
      this.#files.set(url.origin, file)
    }
    return (await file).isAllowed(url.href, productToken(this.#options.userAgent)) ?? true
  }

  /** Section 2.3.1: what is unavailable (4xx) allows everything, what is unreachable (5xx, no response) nothing. */
  async #load(url: string): Promise<Pick<Robot, 'isAllowed'>> {
    const response = await this.#options.get(url).catch((error: unknown) => {
      if (isAadpClientError(error, 'network_error') || isAadpClientError(error, 'timeout')) return undefined
      throw error
    })
    if (!response) return { isAllowed: () => false }
    const { status, body } = response
    if (status >= 400 && status < 500) return { isAllowed: () => true }
    if (status < 200 || status >= 300) return { isAllowed: () => false }
    const { default: exported } = await import('robots-parser')
    // The types describe an ES module, the package is a CommonJS function.
    const parse = exported as unknown as typeof exported.default
    return parse(url, new TextDecoder().decode(body))
  }
}

function productToken(userAgent: string): string {
  return /^[^/\s]+/.exec(userAgent)?.[0] ?? '*'
}
