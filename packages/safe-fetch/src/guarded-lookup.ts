import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

import { blockedAddress, isAllowedAddress } from './check-url.js'
import { SafeFetchError } from './errors.js'
import type { Policy } from './options.js'

/**
 * A lookup for `net.connect` that resolves once, judges every answer and hands over only what passed, so that the
 * addresses dialled are the addresses judged.
 */
export function createGuardedLookup(port: number, policy: Policy): LookupFunction {
  return function guardedLookup(hostname, options, callback): void {
    resolveAll(hostname, options, policy, (error, answers) => {
      const verdict = error ?? judge(hostname, port, answers, policy)
      if (verdict instanceof Error) callback(verdict, [])
      else if (options.all === true) callback(null, [...verdict])
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

type LookupOptions = Parameters<LookupFunction>[1]

/** Asks the policy's resolver for all answers; it may answer in either form of `dns.lookup`, once. */
function resolveAll(
  hostname: string,
  options: LookupOptions,
  policy: Policy,
  callback: (error: SafeFetchError | null, answers: readonly LookupAddress[]) => void,
): void {
  let settled = false
  const settle = (cause: unknown, answers: readonly LookupAddress[]): void => {
    if (settled) return
    settled = true
    callback(
      cause == null ? null : new SafeFetchError('dns_failed', 'The host name cannot be resolved.', { cause }),
      answers,
    )
  }
  try {
    policy.lookup(hostname, { ...options, all: true }, (error, answer, family) => {
      settle(error, error == null ? listAnswers(answer, family) : [])
    })
  } catch (cause) {
    settle(cause, [])
  }
}

function listAnswers(answer: unknown, family: number | undefined): readonly LookupAddress[] {
  if (typeof answer === 'string')
    return [{ address: answer, family: family ?? (answer.includes(':') ? 6 : 4) }]
  if (!Array.isArray(answer)) return []
  return answer as readonly LookupAddress[]
}
