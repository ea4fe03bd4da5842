import { runConformance as runAadp } from '@doorplate/aadp-conformance'
import { runConformance as runAhp, type ConformanceReport, type Probes } from '@doorplate/ahp-conformance'
import { CUSTOMER_SCHEME } from '../publish/shop-resources.js'
import { require, type Narrator } from './narrator.js'
import type { VisitedSite } from './visited-site.js'

const ASKED: Probes = { question: { capability: 'site_info', query: 'Which Node.js does it need?' } }
const ASKED_OF_SHOP: Probes = {
  ...ASKED,
  ambiguous: { capability: 'inventory_check', query: 'Is it available?' },
  member: { capability: 'order_lookup', query: 'Where is ORD-2026-001?' },
  action: { capability: 'get_quote', input: { sku: 'AHP-IMPL-001', quantity: 1 } },
}

/** Both conformance suites, against the running site. */
export async function verify(
  { origin, tokens }: VisitedSite,
  { hasShop }: { readonly hasShop: boolean },
  { step, say }: Narrator,
): Promise<void> {
  step('Verify: the AADP conformance suite')
  const aadp = await runAadp(origin, {
    allowPrivateNetwork: true,
    headers: { [CUSTOMER_SCHEME.name]: tokens.customer },
  })
  judge(aadp, say)

  step('Verify: the AHP conformance suite')
  const probes = hasShop ? ASKED_OF_SHOP : ASKED
  const ahp = await runAhp(origin, { allowPrivateNetwork: true, credential: tokens.customer, probes })
  judge(ahp, say)
}

function judge({ status, checks, fatal }: ConformanceReport, say: Narrator['say']): void {
  if (fatal !== undefined) say(fatal.message)
  const count = (wanted: string): number => checks.filter((check) => check.status === wanted).length
  say(
    `${status}: ${String(count('passed'))} of ${String(checks.length)} checks passed, ${String(count('skipped'))} skipped`,
  )
  for (const check of checks.filter(({ status }) => status !== 'passed'))
    say(`${check.status.padEnd(12)} ${check.id}: ${check.message ?? ''}`)
  require(status === 'passed', 'The site does not conform.')
}
