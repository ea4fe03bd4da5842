import { createHeaderList } from './header-list.js'
import type { Policy } from './options/options.js'
import type { CallParts } from './exchange/plan-call.js'
import { bytesBody } from './body/request-body.js'
import {
  choiceOption,
  entriesOption,
  functionOption,
  integerOption,
  invalidOption,
  MAX_TIMER_MS,
  ownMembers,
  signalOption,
} from './options/validate-option.js'

/** What a `request` sends, and its limits. */
export interface SafeRequestInit {
  /** Default `GET`. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent as UTF-8. Not for GET and HEAD. */
  readonly body?: Uint8Array | string
  /** An abort rejects with the signal's own reason. */
  readonly signal?: AbortSignal | undefined
  /** Default `follow`. `manual` returns a redirect as it is, `error` refuses it. */
  readonly redirect?: 'follow' | 'error' | 'manual'
  /** These three replace the value from the options of the fetch, for this call. */
  readonly timeoutMs?: number
  readonly maxResponseBytes?: number
  readonly maxRedirects?: number
  /**
   * Told how many bytes have come, after decoding, with each piece of a body, also where the attempt fails later. What it throws
   * ends the call with that. Default: nobody is told.
   */
  readonly onBytes?: (count: number) => void
}

/** An init, validated and completed. */
export interface RequestTerms extends CallParts {
  readonly timeoutMs: number
  readonly limitBytes: number
  readonly signal: AbortSignal | undefined
  readonly onBytes: SafeRequestInit['onBytes']
}

export type ReadInit = (init: SafeRequestInit) => RequestTerms

const MEMBERS: ReadonlySet<string> = new Set<keyof SafeRequestInit>([
  'method',
  'headers',
  'body',
  'signal',
  'redirect',
  'timeoutMs',
  'maxResponseBytes',
  'maxRedirects',
  'onBytes',
])

/** Reads inits under one policy. A frozen init with frozen headers says the same at every call, and is read once. */
export function createInitReader(policy: Policy): ReadInit {
  const known = new WeakMap<SafeRequestInit, RequestTerms>()
  return (init) => {
    const before = known.get(init)
    if (before) return before
    const terms = readInit(init, policy)
    if (isConstant(init) && isConstant(init.headers)) known.set(init, terms)
    return terms
  }
}

/** A frozen object whose members are no getters. */
function isConstant(object: object = {}): boolean {
  if (!Object.isFrozen(object)) return false
  return Object.values(Object.getOwnPropertyDescriptors(object)).every((member) => 'value' in member)
}

function readInit(given: SafeRequestInit, policy: Policy): RequestTerms {
  const init = ownMembers('SafeRequestInit', given, MEMBERS)
  const { body, headers, method = 'GET' } = init
  return {
    timeoutMs: integerOption('timeoutMs', init.timeoutMs, policy.timeoutMs, 1, MAX_TIMER_MS),
    limitBytes: integerOption('maxResponseBytes', init.maxResponseBytes, policy.maxResponseBytes, 0),
    signal: signalOption(init.signal),
    onBytes: functionOption('onBytes', init.onBytes),
    method,
    headers: createHeaderList('headers', entriesOption('headers', headers)),
    body: body === undefined ? null : bytesBody(toBytes(body)),
    redirect: choiceOption('redirect', init.redirect, ['follow', 'error', 'manual']),
    maxRedirects: integerOption('maxRedirects', init.maxRedirects, policy.maxRedirects, 0),
  }
}

function toBytes(body: unknown): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body)
  if (!(body instanceof Uint8Array)) throw invalidOption('body', 'a text or a Uint8Array')
  return body
}
