import type { FaultListener } from './fault.js'
import { faultText } from './fault-text.js'

/** So many records are remembered; those beyond are printed each time. */
const MAX_REMEMBERED = 1000

/** Prints what nobody listens to: each failed request, and once each record or count that is left out. */
export function createFaultPrinter(): FaultListener {
  const printed = new Set<string>()
  return (error, fault) => {
    const line = faultText(error, fault)
    if (printed.has(line)) return
    if (fault.outcome !== 'request_failed' && printed.size < MAX_REMEMBERED) printed.add(line)
    console.error(`[aadp-server] ${line}`)
  }
}
