import { counted, inconclusive, judged, skipped } from '@doorplate/conformance-kit'
import { ownText } from '../own-member.js'
import { rule } from '../requirements.js'
import { afterQuestion, finding, notThere, type AgentCheck } from './agent-check.js'
import { questionsOf } from './station.js'

/** What an agent does after a first answer that is none yet. */
export const followUpChecks: readonly AgentCheck[] = [
  {
    id: 'sessions.reply',
    title: 'The reply to a question back names its session',
    requirements: ['R-047', 'R-052'].map(rule),
    hint: 'Send the session_id of the question back, the query, and the reply as clarification.',
    run: ({ visits }) => {
      const visit = visits.get('clarification')
      const replies = visit === undefined ? [] : questionsOf(visit).slice(1)
      if (replies.length === 0) return skipped('The agent did not reply to the question back.')
      return judged(
        replies
          .filter(
            ({ json }) =>
              ownText(json, 'clarification') === undefined || ownText(json, 'session_id') !== 'session-1',
          )
          .map(() => finding('R-052', 'A reply without clarification, or in another session.')),
      )
    },
  },
  {
    id: 'jobs.polled',
    title: 'The answer that comes late is collected',
    requirements: [rule('R-079')],
    hint: 'Poll the address that was named until the work is done.',
    run: ({ visits }) => {
      const visit = visits.get('job')
      if (visit === undefined || questionsOf(visit).length === 0) return inconclusive(notThere('job'))
      const polls = visit.requests.filter(({ path }) => path.endsWith('/job-1')).length
      return judged(
        polls > 1
          ? []
          : [
              finding(
                'R-079',
                `The status address is asked ${counted(polls, 'time')}, and the work is not done then.`,
                true,
              ),
            ],
      )
    },
  },
  afterQuestion('foreign_poll', {
    id: 'jobs.foreign_poll',
    title: 'An address to poll on another origin is not followed',
    numbers: ['ASYN-002'],
    hint: 'Follow an address to poll only on the origin of the manifest.',
    judge: ({ foreign }) =>
      foreign.map(({ path }) => finding('ASYN-002', `The agent polls another origin, at ${path}.`)),
  }),
]
