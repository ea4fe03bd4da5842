import type { DemoTokens } from '../demo-tokens.js'
import { CUSTOMER_SCHEME } from '../publish/shop-resources.js'
import type { OwnerKeys } from './inspect.js'

/** By which this server lets its own suites see what is closed to strangers. */
export function ownKeys({ customer }: Pick<DemoTokens, 'customer'>): OwnerKeys {
  return {
    headers: { [CUSTOMER_SCHEME.name]: customer },
    credential: customer,
    probes: { question: { capability: 'site_info', query: 'Which Node.js does it need?' } },
  }
}
