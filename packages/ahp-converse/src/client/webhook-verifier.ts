import { Webhook } from 'standardwebhooks'
import { invalidOption } from '../converse-error.js'

export interface WebhookVerifierOptions {
  readonly toleranceSeconds: number
  readonly maxRememberedIds: number
  readonly now: () => number
}

/** `repeated` is genuine, and was accepted before. */
export type WebhookVerdict = 'accepted' | 'repeated' | 'refused'

const MAX_ID_LENGTH = 256
const MAX_SIGNATURES = 10

/** Verifies deliveries by Standard Webhooks and remembers their ids for as long as their time would be accepted again. */
export class WebhookVerifier {
  readonly #keys: readonly Webhook[]
  readonly #options: WebhookVerifierOptions
  /** The time of each id, oldest arrival first. */
  readonly #seen = new Map<string, number>()
  /** Of ids that had to be forgotten: what is not newer is refused, so that it cannot be repeated. */
  #forgottenSeconds = 0

  constructor(secrets: readonly string[], options: WebhookVerifierOptions) {
    if (!Array.isArray(secrets) || secrets.length === 0)
      throw invalidOption('secrets', 'must be a list of at least one secret')
    this.#keys = secrets.map(toKey)
    this.#options = options
  }

  /** Judges the raw bytes of a body with its header fields. Never throws on either. */
  verify(body: Uint8Array, headers: Headers): WebhookVerdict {
    const id = headers.get('webhook-id') ?? ''
    const time = headers.get('webhook-timestamp') ?? ''
    const signatures = (headers.get('webhook-signature') ?? '').split(' ').slice(0, MAX_SIGNATURES)
    if (id === '' || id.length > MAX_ID_LENGTH || !/^\d{1,12}$/.test(time)) return 'refused'
    const seconds = Number(time)
    if (!this.#isTimely(seconds) || !this.#isSigned(body, id, seconds, signatures)) return 'refused'
    if (this.#seen.has(id)) return 'repeated'
    if (seconds <= this.#forgottenSeconds) return 'refused'
    this.#remember(id, seconds)
    return 'accepted'
  }

  #isTimely(seconds: number): boolean {
    return Math.abs(this.#options.now() / 1_000 - seconds) <= this.#options.toleranceSeconds
  }

  #isSigned(body: Uint8Array, id: string, seconds: number, signatures: readonly string[]): boolean {
    const text = textOf(body)
    if (text === undefined) return false
    const expected = this.#keys.map((key) => key.sign(id, new Date(seconds * 1_000), text))
    return expected.some((one) => signatures.some((signature) => equalInConstantTime(one, signature)))
  }

  #remember(id: string, seconds: number): void {
    const oldestSeconds = this.#options.now() / 1_000 - this.#options.toleranceSeconds
    for (const [seen, seenSeconds] of this.#seen) {
      const isExpired = seenSeconds < oldestSeconds
      if (!isExpired && this.#seen.size < this.#options.maxRememberedIds) break
      this.#seen.delete(seen)
      if (!isExpired) this.#forgottenSeconds = Math.max(this.#forgottenSeconds, seenSeconds)
    }
    this.#seen.set(id, seconds)
  }
}

function toKey(secret: string): Webhook {
  try {
    return new Webhook(secret)
  } catch {
    // The library's error could say something about the secret.
    throw invalidOption('secrets', 'must hold secrets as Standard Webhooks writes them: whsec_ and Base64')
  }
}

/** The byte order mark is part of what is signed. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(body: Uint8Array): string | undefined {
  try {
    return UTF8.decode(body)
  } catch {
    return undefined
  }
}

function equalInConstantTime(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
