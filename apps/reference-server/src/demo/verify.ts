import { runConformance as runAadp } from '@doorplate/aadp-conformance'
import { runConformance as runAhp, type ConformanceReport, type Probes } from '@doorplate/ahp-conformance'
import { CUSTOMER_SCHEME } from '../publish/shop-resources.js'
import { SESSION_IDLE_MS } from './demo-settings.js'
import type { HttpsRelay } from './https-relay.js'
import { require, type Narrator } from './narrator.js'
import { staffDesk } from './person-at-desk.js'
import type { VisitedSite } from './visited-site.js'

/** Which of what is offered plays which part; without the shop there is less to judge. */
const ASKED: Probes = {
  question: { capability: 'site_info', query: 'Which Node.js does it need?' },
  job: { capability: 'human_escalation', query: 'Can you look at our installation?' },
}
const ASKED_OF_SHOP: Probes = {
  ...ASKED,
  ambiguous: { capability: 'inventory_check', query: 'Is it available?' },
  member: { capability: 'order_lookup', query: 'Where is ORD-2026-001?' },
  action: { capability: 'get_quote', input: { sku: 'AHP-IMPL-001', quantity: 1 } },
  forbidden: { capability: 'restock', input: { sku: 'AHP-IMPL-001', stock: 5 } },
  // The carrier talks nonsense about one parcel, and never answers about the other.
  failing: { capability: 'parcel_tracking', input: { order: 'ORD-2026-003' } },
  unavailable: { capability: 'parcel_tracking', input: { order: 'ORD-2026-004' } },
}

export interface VerifyOptions {
  readonly hasShop: boolean
  /** Where results are posted to. */
  readonly relay: HttpsRelay
}

/** Both conformance suites, against the running site, with nothing left out. */
export async function verify(
  site: VisitedSite,
  { hasShop, relay }: VerifyOptions,
  { step, say }: Narrator,
): Promise<void> {
  const { origin, tokens, ca } = site
  step('Verify: the AADP conformance suite')
  const aadp = await runAadp(origin, {
    allowPrivateNetwork: true,
    ca: [ca],
    headers: { [CUSTOMER_SCHEME.name]: tokens.customer },
  })
  judge(aadp, say)
  if (hasShop) requireAll(aadp)

  step('Verify: the AHP conformance suite')
  const ended = new AbortController()
  const staff = staffDesk(site, { signal: ended.signal })
  try {
    const ahp = await runAhp(origin, {
      allowPrivateNetwork: true,
      ca: [ca],
      credential: tokens.customer,
      probes: hasShop ? ASKED_OF_SHOP : ASKED,
      sessionIdleMs: SESSION_IDLE_MS,
      callback: { url: relay.url, port: relay.targetPort },
    })
    judge(ahp, say)
    if (hasShop) requireAll(ahp)
  } finally {
    ended.abort()
    await staff
  }
}

function judge({ status, checks, fatal }: ConformanceReport, say: Narrator['say']): void {
  if (fatal !== undefined) say(fatal.message)
  const passed = checks.filter((check) => check.status === 'passed').length
  say(`${status}: ${String(passed)} of ${String(checks.length)} checks passed`)
  for (const check of checks.filter(({ status }) => status !== 'passed'))
    say(`${check.status.padEnd(12)} ${check.id}: ${check.message ?? ''}`)
  require(status === 'passed', 'The site does not conform.')
}

/** Without the shop some parts have nobody to play them. */
function requireAll({ checks }: ConformanceReport): void {
  require(checks.every(({ status }) => status === 'passed'), 'Not every check was passed.')
}
