import type { Principal } from '../turn.js'
import { authRequired } from './identify-caller.js'
import { Refusal } from './refusal.js'
import type { ServedCapability } from './served-capability.js'

/** Why a caller may not ask for this; undefined when it may. */
export function authorise(
  { needsPrincipal, scopes: needed }: ServedCapability,
  principal: Principal | undefined,
): Refusal | undefined {
  if (!needsPrincipal) return undefined
  if (principal === undefined) return authRequired('This capability needs a credential.')
  const { scopes = [] } = principal
  if (needed.every((scope) => scopes.includes(scope))) return undefined
  return new Refusal({ code: 'forbidden', message: 'The credential does not allow this.' })
}
