import { checkFunction, checkWhole, MAX_TIMEOUT_MS } from '../check-option.js'
import { checkMembers, wholeOption } from '../state-options.js'
import type { Ticket } from './ticket.js'

/** How questions wait for people. */
export interface InboxOptions {
  /** How long a question is left to the operator who has claimed it, milliseconds. Default: 900,000 (15 minutes). */
  readonly claimMs?: number
  /**
   * Tells people that a question waits: when it comes in, when a claim of it has run out, and when it was given back. At
   * least once, by one process; if it rejects, again after 10 s, then after ever longer, up to an hour.
   */
  readonly notify?: Notify
  /** How long that may take, milliseconds. Default: 10,000. */
  readonly notifyTimeoutMs?: number
}

/** Tells people of a question. */
export type Notify = (ticket: Ticket, options: { readonly signal: AbortSignal }) => unknown

export interface InboxSettings {
  readonly claimMs: number
  readonly notify: Notify | undefined
  readonly notifyTimeoutMs: number
}

const MEMBERS: readonly (keyof InboxOptions)[] = ['claimMs', 'notify', 'notifyTimeoutMs']

/** Throws `invalid_option`. */
export function readInboxOptions(options: InboxOptions): InboxSettings {
  checkMembers('inbox', options, MEMBERS)
  const { claimMs, notify, notifyTimeoutMs = 10_000 } = options
  checkFunction('inbox.notify', notify)
  return {
    claimMs: wholeOption('inbox.claimMs', claimMs, 900_000),
    notify,
    notifyTimeoutMs: checkWhole('inbox.notifyTimeoutMs', notifyTimeoutMs, 1, MAX_TIMEOUT_MS),
  }
}
