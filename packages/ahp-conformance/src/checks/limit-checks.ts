import { counted, judged, skipped, type Outcome } from '@doorplate/conformance-kit'
import { rule } from '../requirements.js'
import { declaredAllowance } from '../site/allowance.js'
import type { Site } from '../site/site.js'
import { staysFull, type ToldLimit } from '../site/told-limit.js'
import { about, answered, type SiteCheck } from './site-check.js'

/** Whether what questions are told of their limit is true. */
export const limitChecks: readonly SiteCheck[] = [
  {
    id: 'responses.declared_limits',
    title: 'The limit that is told is the one that is declared',
    requirements: ['R-105', 'RATE-001'].map(rule),
    needs: ['converse.answer'],
    hint: 'Derive rate_limits of the manifest from what is enforced.',
    run: judgeDeclaredLimits,
  },
  {
    id: 'responses.remaining',
    title: 'What is left of the limit falls with the questions that are asked',
    requirements: ['R-093', 'R-095'].map(rule),
    needs: ['converse.answer'],
    hint: 'Take X-RateLimit-Remaining from the counter that refuses, after the request was counted.',
    run: judgeRemaining,
  },
]

async function judgeDeclaredLimits(site: Site): Promise<Outcome> {
  const { reading, withCredential } = await answered(site)
  const { manifest } = await site.declared()
  const declared = declaredAllowance(manifest, { withCredential })
  if (declared === undefined) return skipped('The manifest declares no such limit.')
  const { 'x-ratelimit-limit': limit, 'x-ratelimit-window': window } = reading.headers
  if (limit === undefined || window === undefined) return skipped('The answer tells no limit.')
  const { requests, windowSeconds, text } = declared
  const asDeclared = requests / windowSeconds
  if (Math.abs(Number(limit) / Number(window) - asDeclared) <= asDeclared * 1e-6) return judged([])
  const message = `The manifest declares ${text}, and the answer tells ${limit} in ${window} seconds.`
  return judged([about(reading, 'R-105', message)])
}

/** Questions that are put in a row where the run has not put enough. */
const QUESTIONS = 4

async function judgeRemaining(site: Site): Promise<Outcome> {
  const { probe, withCredential, reading } = await answered(site)
  for (let count = 1; count <= QUESTIONS && !told(site).some(falls); count++)
    await site.ask(probe, { withCredential })
  const kinds = told(site)
  if (kinds.length === 0) return skipped('No answer tells a limit.')
  const full = kinds.find((kind) => staysFull(kind) === true)
  if (full === undefined)
    return kinds.some(falls) ? judged([]) : skipped('The site answers too slowly for its limit to be seen.')
  const [first] = full
  const message = `${counted(full.length, 'question')} were answered, and X-RateLimit-Remaining stayed ${String(first?.remaining)} of ${String(first?.limit)}.`
  return judged([about(reading, 'R-093', message)])
}

const falls = (kind: readonly ToldLimit[]): boolean => staysFull(kind) === false

/** What the questions of the run were told, by the kind of limit. */
function told({ observations }: Site): readonly (readonly ToldLimit[])[] {
  const all = observations.flatMap(({ toldLimit }) => toldLimit ?? [])
  return [...new Set(all.map(({ kind }) => kind))].map((wanted) => all.filter(({ kind }) => kind === wanted))
}
