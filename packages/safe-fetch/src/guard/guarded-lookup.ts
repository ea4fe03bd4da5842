import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'

import { blockedAddress, isAllowedAddress } from './check-url.js'
import { SafeFetchError } from '../errors.js'
import type { Policy } from '../options/options.js'

/** Addresses of each family that are dialled in turn; with thousands of them Node would be busy for seconds. */
const MAX_DIALLED_PER_FAMILY = 8

/**
 * A lookup for `net.connect` that resolves once, judges every answer and hands over only what passed, so that the
 * addresses dialled are the addresses judged.
 */
export function createGuardedLookup(port: number, policy: Policy): LookupFunction {
  return function guardedLookup(hostname, options, callback): void {
    resolveAll(hostname, options, policy, (error, answers) => {
      const verdict = error ?? judge(hostname, port, answers, policy)
      if (verdict instanceof Error) callback(verdict, [])
      else if (options.all === true) callback(null, firstOfEachFamily(verdict))
      else callback(null, verdict[0]?.address ?? '', verdict[0]?.family)
    })
  }
}

/** The answers that may be dialled, or the refusal. One that is not public refuses all, unless the policy filters. */
function judge(
  hostname: string,
  port: number,
  answers: readonly LookupAddress[],
  policy: Policy,
): readonly LookupAddress[] | SafeFetchError {
  if (answers.length === 0) return new SafeFetchError('dns_failed', 'The host name has no address.')
  if (policy.allowList.allowsHost(hostname, port)) return answers
  const refused = answers.find(({ address }) => !isAllowedAddress(address, port, policy))
  if (refused === undefined) return answers
  const passed =
    policy.mixedAnswers === 'filter'
      ? answers.filter(({ address }) => isAllowedAddress(address, port, policy))
      : []
  return passed.length > 0 ? passed : blockedAddress(undefined, refused.address)
}

function firstOfEachFamily(answers: readonly LookupAddress[]): LookupAddress[] {
  const counts = new Map<number, number>()
  return answers.filter(({ family }) => {
    const count = counts.get(family) ?? 0
    counts.set(family, count + 1)
    return count < MAX_DIALLED_PER_FAMILY
  })
}

type LookupOptions = Parameters<LookupFunction>[1]

/** Asks the policy's resolver for all answers; it may answer in either form of `dns.lookup`, once. */
function resolveAll(
  hostname: string,
  options: LookupOptions,
  policy: Policy,
  callback: (error: SafeFetchError | null, answers: readonly LookupAddress[]) => void,
): void {
  let settled = false
  const settle = (cause: unknown, answers: readonly LookupAddress[] | null = null): void => {
    if (settled) return
    settled = true
    if (cause == null && answers !== null) callback(null, answers)
    else callback(new SafeFetchError('dns_failed', 'The host name cannot be resolved.', { cause }), [])
  }
  try {
    const returned = policy.lookup(hostname, { ...options, all: true }, (error, answer) => {
      settle(error, error == null ? listAnswers(answer) : null)
    })
    if (returned instanceof Promise) returned.catch(settle)
  } catch (cause) {
    settle(cause)
  }
}

/** Each address read once, its family told from its text; null for an answer of another shape. */
function listAnswers(answer: unknown): readonly LookupAddress[] | null {
  const items: readonly unknown[] = Array.isArray(answer) ? answer : [{ address: answer }]
  const addresses = items.map((item) => (item as Partial<LookupAddress> | null | undefined)?.address)
  if (!addresses.every((address) => typeof address === 'string')) return null
  return addresses.map((address) => ({ address, family: isIP(address) }))
}
