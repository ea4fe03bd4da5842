import { invalidOption } from '../converse-error.js'
import type { Principal } from '../turn.js'
import type { Credential, VerifyCredential } from './credential.js'
import { type FaultListener, refuseForFault, StageFailure } from './fault.js'
import { createGuessGate } from './limits/guess-gate.js'
import type { RateLimits } from './limits/rate-limits.js'
import { rateLimited, Refusal } from './refusal.js'
import type { SignedRequest, VerifiedAgent } from './identify-agent.js'

/** Who asks, as the way in knows it: HTTP reads fields, a program in the same process says it. */
export interface Caller {
  /** The network address, for limits and for the ownership of sessions. */
  readonly address: string
  /** What sessions and jobs of strangers are bound to, where that is not the address. */
  readonly ownerAddress?: string | undefined
  readonly credential?: Credential | undefined
  /** Somebody whose identity was checked already; then `credential` is not looked at. */
  readonly principal?: Principal | undefined
  /** The request as an agent may have signed it. */
  readonly signed?: SignedRequest | undefined
  /** An agent whose signature was checked already; then `signed` is not looked at. */
  readonly agent?: VerifiedAgent | undefined
}

export type Identify = (caller: Caller) => Promise<Principal | undefined | Refusal>

export interface IdentifyParts {
  readonly verify: VerifyCredential | undefined
  readonly limits: RateLimits
  readonly onError: FaultListener
}

/**
 * Tells the principal behind a credential; undefined for a stranger. A credential that is nobody's is refused, not ignored,
 * and an address that has tried too many is not listened to: a credential cannot be guessed here.
 */
export function createIdentify({ verify, limits, onError }: IdentifyParts): Identify {
  const enter = createGuessGate(limits)

  return async function identify({ address, credential, principal }) {
    if (principal !== undefined || credential === undefined || verify === undefined) return principal
    const guess = await enter(address)
    if (!guess.allowed) return rateLimited(guess)
    try {
      const found = (await verify(credential)) as Principal | null | undefined
      if (found !== null && found !== undefined) return checkPrincipal(found)
      const { headers } = await limits.take({ address }, 'credential')
      return authRequired('The credential is not valid.', 'Bearer error="invalid_token"').with(headers)
    } catch (error) {
      return refuseForFault(onError, new StageFailure('verify', error)).with(guess.headers)
    } finally {
      guess.leave()
    }
  }
}

/** Rights, limits and sessions go by the id: without one, all principals would be the same. */
function checkPrincipal(found: Principal): Principal {
  if (typeof (found.id as unknown) === 'string' && found.id !== '') return found
  throw invalidOption('verify', 'must give a principal with an id, or null')
}

/** The credential that a capability asks for is not there. */
export function authRequired(message: string, challenge: string = 'Bearer'): Refusal {
  return new Refusal({ code: 'auth_required', message }, { headers: { 'www-authenticate': challenge } })
}
