import { counted, judged, skipped, type Finding, type Outcome } from '@doorplate/conformance-kit'
import { ownMember, ownText } from '../own-member.js'
import { rule } from '../requirements.js'
import { described, type Reading } from '../site/reading.js'
import type { Site } from '../site/site.js'
import { weaknessOf } from '../site/weak-ids.js'
import {
  about,
  answered,
  refusalFindings,
  skippedWithoutCredential,
  successFindings,
  type SiteCheck,
} from './site-check.js'

/** Several turns between one agent and the concierge. */
export const sessionChecks: readonly SiteCheck[] = [
  {
    id: 'sessions.continued',
    title: 'A session goes on by its id',
    requirements: ['R-037', 'R-047'].map(rule),
    needs: ['converse.answer'],
    hint: 'Give every answer a session_id, and take it with the next question.',
    run: async (site) => {
      // A new one: that of the first answer may have ended, where sessions are short.
      const first = await freshSession(site)
      const session_id = ownText(first.json, 'session_id')
      if (session_id === undefined) return judged([about(first, 'R-037', 'The answer opens no session.')])
      const next = await askInSession(site, session_id)
      const wrong = successFindings(next, 'R-037', 'The second turn')
      const isSame = ownText(next.json, 'session_id') === session_id
      return judged(
        wrong.length > 0 || isSame
          ? wrong
          : [about(next, 'R-037', 'The second turn is answered in another session.')],
      )
    },
  },
  {
    id: 'sessions.unknown',
    title: 'A session that does not exist is refused, and never opened',
    requirements: ['SES-002', 'SES-003'].map(rule),
    needs: ['converse.answer'],
    hint: 'Refuse an id that you did not give out with 400 invalid_request.',
    run: async (site) => {
      const { reading: first } = await answered(site)
      if (ownText(first.json, 'session_id') === undefined) return skipped('The site has no sessions.')
      const reading = await askInSession(site, '00000000-0000-4000-8000-d00f1a7e0000')
      const what = 'A session that was made up'
      if (reading.status === 200) return judged([about(reading, 'SES-003', `${what} is answered.`)])
      return judged(refusalFindings(reading, 'SES-002', { status: 400, code: 'invalid_request', what }))
    },
  },
  {
    id: 'sessions.unguessable',
    title: 'The id of a session cannot be guessed',
    requirements: [rule('SES-001')],
    needs: ['sessions.continued'],
    hint: 'Make ids of at least 64 random bits, such as UUIDs of version 4: whoever guesses one is its caller.',
    run: async (site) => {
      const readings: Reading[] = []
      for (let count = 1; count <= SAMPLE; count++) readings.push(await freshSession(site))
      const ids = readings.flatMap(({ json }) => ownText(json, 'session_id') ?? [])
      const [reading] = readings
      const weakness = weaknessOf(ids)
      if (reading === undefined || weakness === undefined)
        return judged([], `${counted(ids.length, 'id')} looked at`)
      // The specification says whose a session is, and not how its id is made.
      return judged([about(reading, 'SES-001', weakness, { pointer: '/session_id', advisory: true })])
    },
  },
  {
    id: 'sessions.turn_limit',
    title: 'A session ends after its turns',
    requirements: ['R-053', 'R-054', 'R-102', 'R-103', 'SES-004'].map(rule),
    needs: ['sessions.continued'],
    hint: 'Refuse the turn after the tenth with 429, rate_limited, scope session and retry_after null.',
    run: judgeTurnLimit,
  },
  {
    id: 'sessions.expiry',
    title: 'A session ends when it is not used',
    requirements: ['R-055', 'SES-002'].map(rule),
    needs: ['sessions.continued'],
    hint: 'End sessions after 10 minutes without a turn.',
    run: async (site) => {
      const { sessionIdleMs, sleep } = site.settings
      if (sessionIdleMs === undefined) return skipped('It takes time. Give --session-idle.')
      const session_id = ownText((await freshSession(site)).json, 'session_id') ?? ''
      await sleep(sessionIdleMs + EXPIRY_MARGIN_MS, site.log.signal)
      const reading = await askInSession(site, session_id)
      if (reading.status === 200)
        return judged([about(reading, 'R-055', `The session lives on after ${sessionIdleMs} ms.`)])
      return judged(
        refusalFindings(reading, 'SES-002', {
          status: 400,
          code: 'invalid_request',
          what: 'A session that has ended',
        }),
      )
    },
  },
  {
    id: 'sessions.owner',
    title: 'A session belongs to the caller it was opened for',
    requirements: [rule('SES-001')],
    needs: ['sessions.continued'],
    hint: 'Bind a session to whoever opened it; to any other it does not exist.',
    run: judgeOwner,
  },
]

const EXPIRY_MARGIN_MS = 1_000
/** Sessions that are opened to look at their ids. */
const SAMPLE = 4

async function askInSession(site: Site, session_id: string): Promise<Reading> {
  const { probe, withCredential } = await answered(site)
  return site.ask(probe, { withCredential, body: { session_id } })
}

async function freshSession(site: Site): Promise<Reading> {
  const { probe, withCredential } = await answered(site)
  return site.ask(probe, { withCredential })
}

async function judgeTurnLimit(site: Site): Promise<Outcome> {
  const { maxTurns } = site.settings
  const first = await freshSession(site)
  const session_id = ownText(first.json, 'session_id')
  if (session_id === undefined) return skipped('The answer opens no session.')
  let tokens = tokensOf(first)
  for (let turn = 2; turn <= maxTurns + 1; turn++) {
    const reading = await askInSession(site, session_id)
    if (reading.status !== 200) return judged(endFindings(reading, turn, maxTurns))
    tokens += tokensOf(reading)
    const budget = await tokenBudget(site)
    if (budget !== undefined && tokens > 2 * budget) {
      const message = `${tokens} tokens were used in a session, and the declared budget is ${budget}.`
      return judged([about(reading, 'R-103', message)])
    }
    if (turn > maxTurns)
      return judged([
        about(
          reading,
          'R-053',
          `Turn ${turn} of a session is answered. Give --max-turns where more are meant.`,
        ),
      ])
  }
  return judged([])
}

/** Either of the two ends of a session is right, and both say that only a new session helps. */
function endFindings(reading: Reading, turn: number, maxTurns: number): readonly Finding[] {
  const scope = ownMember(reading.json, 'scope')
  const isBudget = scope === 'session_tokens'
  const isEarly = turn <= maxTurns && !isBudget
  const number = isBudget ? 'R-103' : 'SES-004'
  const isRight =
    reading.status === 429 &&
    ownMember(reading.json, 'code') === 'rate_limited' &&
    (isBudget || scope === 'session') &&
    ownMember(reading.json, 'retry_after') === null
  const form = isRight
    ? []
    : [`${described(reading)} Expected 429 rate_limited with scope session and retry_after null.`]
  const early = isEarly
    ? [
        `A session ends with turn ${turn}, expected ${maxTurns} turns. Give --max-turns where fewer are meant.`,
      ]
    : []
  return [
    ...form.map((message) => about(reading, number, message)),
    ...early.map((message) => about(reading, 'R-053', message)),
  ]
}

function tokensOf({ json }: Reading): number {
  const used = ownMember(json, 'meta', 'tokens_used')
  return typeof used === 'number' && used > 0 ? used : 0
}

async function tokenBudget(site: Site): Promise<number | undefined> {
  const { manifest } = await site.declared()
  const { withCredential } = await answered(site)
  const tier = withCredential ? manifest.rate_limits?.authenticated : manifest.rate_limits?.unauthenticated
  const [, tokens] = /^(\d+)\/session$/.exec(tier?.token_budget ?? '') ?? []
  return tokens === undefined ? undefined : Number(tokens)
}

async function judgeOwner(site: Site): Promise<Outcome> {
  if ((await site.credential()) === undefined) return skippedWithoutCredential(site, 'It takes two callers.')
  const { probe, withCredential } = await answered(site)
  if (withCredential) return skipped('Questions need a credential, and a second one was not given.')
  const opened = await site.ask(probe, { withCredential: true })
  const session_id = ownText(opened.json, 'session_id')
  if (session_id === undefined) return skipped('With the credential no session is opened.')
  const reading = await site.ask(probe, { body: { session_id } })
  if (reading.status !== 200) return judged([])
  return judged([
    about(reading, 'SES-001', 'A session of somebody with a credential is continued by somebody without.'),
  ])
}
