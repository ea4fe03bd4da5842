import { judged, skipped, type Outcome } from '@doorplate/conformance-kit'
import { ownList, ownMember, ownText } from '../own-member.js'
import type { Probe } from '../probes.js'
import { rule } from '../requirements.js'
import { described, type Reading } from '../site/reading.js'
import type { Site } from '../site/site.js'
import { about, answered, refusalFindings, type SiteCheck } from './site-check.js'

/** Questions back. */
export const clarificationChecks: readonly SiteCheck[] = [
  {
    id: 'clarification.asked',
    title: 'What is ambiguous is asked back',
    requirements: ['R-050', 'R-051'].map(rule),
    needs: ['converse.declared'],
    hint: 'Answer clarification_needed where a question has several answers.',
    run: async (site) => {
      const { ambiguous } = site.settings.probes
      if (ambiguous === undefined)
        return skipped('Nobody can tell what is ambiguous. Name a question with --ambiguous.')
      const reading = await askAmbiguous(site, ambiguous)
      if (asksBack(reading)) return judged([])
      return judged([
        about(reading, 'R-050', `The ambiguous question: ${described(reading)} Expected a question back.`),
      ])
    },
  },
  {
    id: 'clarification.answered',
    title: 'The reply to a question back is taken',
    requirements: [rule('R-052')],
    needs: ['clarification.asked'],
    hint: 'Take a request with the same session and a clarification as the reply.',
    run: judgeReply,
  },
  {
    id: 'clarification.other_session',
    title: 'The reply to a question back is taken in its own session alone',
    requirements: [rule('R-052')],
    needs: ['clarification.answered', 'converse.answer'],
    hint: 'Keep with each session whether it waits for a reply, and refuse one where it does not with 400 invalid_request.',
    run: judgeOtherSession,
  },
  {
    id: 'clarification.unasked',
    title: 'A reply to no question is refused',
    requirements: ['R-052', 'R-084'].map(rule),
    needs: ['converse.answer'],
    hint: 'Refuse a clarification without a session that waits for one with 400 invalid_request.',
    run: async (site) => {
      const { probe, withCredential } = await answered(site)
      const reading = await site.ask(probe, { withCredential, body: { clarification: 'the first' } })
      const expected = { status: 400, code: 'invalid_request', what: 'A clarification without a session' }
      return judged(
        refusalFindings(reading, 'R-052', expected).map((finding) => ({ ...finding, advisory: true })),
      )
    },
  },
]

async function askAmbiguous(
  site: Site,
  probe: Probe,
  body: Readonly<Record<string, unknown>> = {},
): Promise<Reading> {
  return site.ask(probe, { withCredential: (await site.credential()) !== undefined, body })
}

function asksBack({ json }: Reading): boolean {
  return ownMember(json, 'status') === 'clarification_needed'
}

async function judgeReply(site: Site): Promise<Outcome> {
  const { ambiguous } = site.settings.probes
  if (ambiguous === undefined) return skipped('There is no ambiguous question.')
  const asked = await askAmbiguous(site, ambiguous)
  if (!asksBack(asked)) return skipped('The same question is not asked back a second time.')
  const reading = await reply(site, ambiguous, asked, ownText(asked.json, 'session_id'))
  if (isTaken(reading)) return judged([])
  return judged([
    about(reading, 'R-052', `The reply ${JSON.stringify(replyTo(asked))}: ${described(reading)}`),
  ])
}

/** The other session is one of the same caller that waits for nothing. */
async function judgeOtherSession(site: Site): Promise<Outcome> {
  const { ambiguous } = site.settings.probes
  if (ambiguous === undefined) return skipped('There is no ambiguous question.')
  const { probe } = await answered(site)
  const withCredential = (await site.credential()) !== undefined
  const other = await site.ask(probe, { withCredential })
  const session_id = ownText(other.json, 'session_id')
  if (session_id === undefined) return skipped('The answer opens no session.')
  const asked = await askAmbiguous(site, ambiguous)
  if (!asksBack(asked)) return skipped('The same question is not asked back a third time.')
  if (ownText(asked.json, 'session_id') === session_id) return skipped('A caller has one session at a time.')
  const reading = await reply(site, ambiguous, asked, session_id)
  if (!isTaken(reading)) return judged([])
  return judged([
    about(reading, 'R-052', 'The reply to a question back is taken in another session.', { advisory: true }),
  ])
}

function reply(site: Site, probe: Probe, asked: Reading, session_id: string | undefined): Promise<Reading> {
  return askAmbiguous(site, probe, { session_id, clarification: replyTo(asked) })
}

function replyTo({ json }: Reading): string {
  const [option] = ownList(json, 'clarification', 'options')
  return typeof option === 'string' ? option : 'the first one'
}

function isTaken({ status, json }: Reading): boolean {
  return (status === 200 || status === 202) && ['success', 'accepted'].includes(ownText(json, 'status') ?? '')
}
