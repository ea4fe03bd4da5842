import { inconclusive, judged, type Finding, type Outcome } from '@doorplate/conformance-kit'
import { ownText } from '../own-member.js'
import { rule } from '../requirements.js'
import type { Reading } from '../site/reading.js'
import type { Site } from '../site/site.js'
import { about, answered, refusalFindings, type SiteCheck } from './site-check.js'

/** Asking until the site refuses: only when told so, and last, because nothing can be judged after it. */
export const rateChecks: readonly SiteCheck[] = [
  {
    id: 'rate.enforced',
    title: 'The limit holds, and the refusal says when to come back',
    requirements: ['R-058', 'R-090', 'R-096', 'R-099', 'R-100', 'R-101', 'R-105', 'RATE-001'].map(rule),
    needs: ['converse.answer'],
    hint: 'Refuse what exceeds the declared limit with 429, rate_limited, Retry-After and the scope.',
    run: judgeEnforced,
  },
  {
    id: 'rate.recovers',
    title: 'Whoever waits as long as told is answered again',
    requirements: [rule('R-096')],
    needs: ['rate.enforced'],
    hint: 'Let Retry-After be the time after which a request is answered.',
    run: async (site) => {
      const refused = await askUnpaced(site)
      const seconds = Number(refused.headers['retry-after'] ?? '0')
      const { maxWaitMs, sleep } = site.settings
      if (refused.status === 429 && seconds * 1_000 > maxWaitMs)
        return inconclusive(`The site wants a rest of ${seconds} seconds, longer than --max-wait.`)
      if (refused.status === 429) await sleep(seconds * 1_000, site.log.signal)
      const reading = await askUnpaced(site)
      if (reading.status !== 429) return judged([])
      return judged([
        about(reading, 'R-096', `After ${seconds} seconds, as Retry-After said, the site refuses still.`),
      ])
    },
  },
]

async function askUnpaced(site: Site): Promise<Reading> {
  const { probe, withCredential } = await answered(site)
  const body = JSON.stringify({ capability: probe.capability, query: probe.query ?? 'What can I find here?' })
  return site.post(body, { withCredential, isUnpaced: true })
}

async function judgeEnforced(site: Site): Promise<Outcome> {
  const { maxRateRequests } = site.settings
  for (let count = 1; count <= maxRateRequests; count++) {
    const reading = await askUnpaced(site)
    if (reading.status === 429) return judged(limitFindings(reading))
    const limit = Number(reading.headers['x-ratelimit-limit'] ?? Number.NaN)
    if (count > 2 * limit + 1)
      return judged([
        about(
          reading,
          'RATE-001',
          `${count} requests in a row are answered, and the limit told is ${limit}.`,
        ),
      ])
  }
  return inconclusive(`No limit was reached in ${maxRateRequests} requests. Give --max-rate-requests.`)
}

function limitFindings(reading: Reading): readonly Finding[] {
  const expected = { status: 429, code: 'rate_limited', what: 'What exceeds the limit' }
  const scope = ownText(reading.json, 'scope')
  const isScoped = scope === undefined || scope === 'ip' || scope === 'agent'
  const seconds = reading.headers['retry-after'] ?? ''
  return [
    ...refusalFindings(reading, 'R-090', expected),
    ...(isScoped ? [] : [about(reading, 'R-101', `The scope is ${scope}, expected ip or agent.`)]),
    ...(/^[1-9]\d*$/.test(seconds)
      ? []
      : [
          about(reading, 'R-090', `Retry-After is ${seconds === '' ? 'absent' : seconds}, expected seconds.`),
        ]),
  ]
}
