import { Webhook } from 'standardwebhooks'
import { invalidOption } from '../../converse-error.js'
import type { Principal } from '../../turn.js'
import { checkMembers, wholeOption } from '../state-options.js'

/** How results are posted to visitors that gave a URL. */
export interface CallbackOptions {
  /** How results are posted; `createCallbackTransport` of `./node` makes one that cannot be steered into a private network. */
  readonly transport: CallbackTransport
  /**
   * The secrets agreed with a principal, as Standard Webhooks writes them (`whsec_` and Base64): several while one replaces
   * another, none for a principal that gets no callbacks.
   */
  readonly secrets: (principal: Principal) => readonly string[] | Promise<readonly string[]>
  /**
   * How long to wait before each further attempt, milliseconds, and by chance up to half as long again. Default: `[10_000,
   * 60_000]`, which makes three attempts.
   */
  readonly retryDelaysMs?: readonly number[]
  /** Attempts under way at once in this process. Default: 32. */
  readonly maxConcurrent?: number
  /** Of those, to one host, and for one principal. Default: 8. */
  readonly maxConcurrentPerReceiver?: number
  /** Attempts in a minute to one host, and for one principal, from this process; more wait. Default: 600. */
  readonly maxPerReceiverPerMinute?: number
}

/** What reaches the visitor's side. It must judge the URL in both: names can lead elsewhere later. */
export interface CallbackTransport {
  /** Whether results may go to this URL, as far as can be told now. */
  allows(url: string, options: { readonly signal?: AbortSignal | undefined }): Promise<boolean>
  /** Posts once, and follows no redirect. Rejects when nothing was answered. */
  post(url: string, delivery: CallbackDelivery): Promise<{ readonly status: number }>
}

/** A result to be posted. */
export interface CallbackDelivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

export type CallbackSettings = Readonly<Required<CallbackOptions>>

const MEMBERS: readonly (keyof CallbackOptions)[] = [
  'transport',
  'secrets',
  'retryDelaysMs',
  'maxConcurrent',
  'maxConcurrentPerReceiver',
  'maxPerReceiverPerMinute',
]

/** Throws `invalid_option`. */
export function readCallbackOptions(options: CallbackOptions): CallbackSettings {
  checkMembers('callbacks', options, MEMBERS)
  const { transport, secrets, retryDelaysMs = [10_000, 60_000], maxConcurrent } = options
  if (typeof (transport as unknown) !== 'object' || (transport as unknown) === null)
    throw invalidOption('callbacks.transport', 'must have the methods allows, post')
  for (const method of ['allows', 'post'] as const)
    if (typeof (transport[method] as unknown) !== 'function')
      throw invalidOption('callbacks.transport', 'must have the methods allows, post')
  if (typeof secrets !== 'function') throw invalidOption('callbacks.secrets', 'must be a function')
  if (!Array.isArray(retryDelaysMs) || !retryDelaysMs.every(isDelay))
    throw invalidOption('callbacks.retryDelaysMs', 'must be a list of whole numbers, 1 or more')
  return {
    transport,
    secrets,
    retryDelaysMs: Array.from(retryDelaysMs),
    maxConcurrent: wholeOption('callbacks.maxConcurrent', maxConcurrent, 32),
    maxConcurrentPerReceiver: wholeOption(
      'callbacks.maxConcurrentPerReceiver',
      options.maxConcurrentPerReceiver,
      8,
    ),
    maxPerReceiverPerMinute: wholeOption(
      'callbacks.maxPerReceiverPerMinute',
      options.maxPerReceiverPerMinute,
      600,
    ),
  }
}

function isDelay(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1
}

/** The keys behind secrets; throws without telling anything of a secret that cannot be used. */
export function readKeys(secrets: readonly string[]): readonly Webhook[] {
  return secrets.map((secret) => {
    try {
      return new Webhook(secret)
    } catch {
      throw invalidOption('callbacks.secrets', 'must give secrets as Standard Webhooks writes them')
    }
  })
}
