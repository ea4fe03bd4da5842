import type { Probes } from '@doorplate/ahp-conformance'
import type { DemoTokens } from '../demo-tokens.js'
import { CUSTOMER_SCHEME } from '../publish/shop-resources.js'
import type { OwnerKeys } from './inspect.js'

/** Questions that change nothing: no quote is made, and nobody at the desk is bothered. */
const PROBES = {
  question: { capability: 'site_info', query: 'Which Node.js does it need?' },
  ambiguous: { capability: 'inventory_check', query: 'Is it available?' },
  member: { capability: 'order_lookup', query: 'Where is ORD-2026-001?' },
} as const satisfies Probes

/** By which this server lets its own suites see what is closed to strangers. `offered` are the names of its capabilities. */
export function ownKeys(
  { customer }: Pick<DemoTokens, 'customer'>,
  { offered }: { readonly offered: readonly string[] },
): OwnerKeys {
  const probes = Object.entries(PROBES).filter(([, { capability }]) => offered.includes(capability))
  return {
    headers: { [CUSTOMER_SCHEME.name]: customer },
    credential: customer,
    probes: Object.fromEntries(probes) satisfies Probes,
  }
}
