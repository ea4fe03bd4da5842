import { isIP } from 'node:net'

import { atUrl } from './guard/at-url.js'
import { hostOf, portOf } from './guard/check-url.js'
import { createGuardedLookup } from './guard/guarded-lookup.js'
import { Lifetime } from './lifetime/lifetime.js'
import type { Policy } from './options/options.js'
import { planUrl } from './exchange/plan-call.js'
import { integerOption, MAX_TIMER_MS, ownMembers, signalOption } from './options/validate-option.js'

/** Options of `check`. */
export interface CheckInit {
  /** An abort rejects with the signal's own reason. */
  readonly signal?: AbortSignal | undefined
  /** Default: the `timeoutMs` of the fetch. */
  readonly timeoutMs?: number
}

const MEMBERS: ReadonlySet<string> = new Set<keyof CheckInit>(['signal', 'timeoutMs'])

/** Judges a URL and, by one lookup of its name, the addresses behind it. A proxy resolves names itself: then only the URL. */
export async function checkTarget(input: string | URL, given: CheckInit, policy: Policy): Promise<void> {
  const init = ownMembers('CheckInit', given, MEMBERS)
  const timeoutMs = integerOption('timeoutMs', init.timeoutMs, policy.timeoutMs, 1, MAX_TIMER_MS)
  const signal = signalOption(init.signal)
  const url = planUrl(input, policy)
  const host = hostOf(url)
  if (isIP(host) !== 0 || policy.proxy !== null) return
  const lifetime = new Lifetime(timeoutMs, signal)
  try {
    await lifetime.race(resolveOnce(host, portOf(url), policy))
  } catch (error) {
    throw atUrl(error, url, lifetime)
  } finally {
    lifetime.end()
  }
}

function resolveOnce(host: string, port: number, policy: Policy): Promise<void> {
  const lookup = createGuardedLookup(port, policy)
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error) => {
      if (error === null) resolve()
      else reject(error)
    })
  })
}
