import { MANIFEST_PATH } from '@doorplate/ahp-manifest'
import { validateRequest } from '@doorplate/ahp-manifest/messages'
import {
  counted,
  inconclusive,
  judged,
  skipped,
  type Check,
  type Finding,
  type Outcome,
} from '@doorplate/conformance-kit'
import { ownMember, ownText } from '../own-member.js'
import { rule } from '../requirements.js'
import { REFUSALS, RETRY_AFTER_SECONDS } from './stations.js'
import { questionsOf, type AgentRequest, type Visit } from './station.js'

/** What an agent did, by station. */
export interface AgentRecord {
  readonly visits: ReadonlyMap<string, Visit>
  /** What it was given; nothing but header fields to the site it is for may hold it. */
  readonly credential: string
}

/** A check of a visiting agent, as data. */
export type AgentCheck = Check<AgentRecord>

/** All checks of a visiting agent. */
export const agentChecks: readonly AgentCheck[] = [
  atStation('well_known', {
    id: 'discovery.well_known',
    title: 'The well-known path is tried first',
    numbers: ['R-015'],
    hint: 'Ask for /.well-known/agent.json before anything else.',
    judge: ({ requests }) => {
      const [first] = requests
      return first?.path === MANIFEST_PATH
        ? []
        : [finding('R-015', `The first request is for ${first?.path ?? ''}.`)]
    },
  }),
  atStation('link', {
    id: 'discovery.link',
    title: 'The manifest is found by the Link field',
    numbers: ['R-015', 'DISC-002'],
    hint: 'Follow a Link field with the relation ahp-manifest or agent-manifest, whatever its target.',
    judge: foundManifest,
  }),
  atStation('notice', {
    id: 'discovery.notice',
    title: 'The manifest is found by the notice in the page',
    numbers: ['R-015'],
    hint: 'Look for the notice in the HTML when there is neither a well-known path nor a Link field.',
    judge: foundManifest,
  }),
  atStation('agent_card', {
    id: 'discovery.other_documents',
    title: 'A document of another protocol is not taken for a manifest',
    numbers: ['DISC-005'],
    hint: 'Judge what is at the well-known path by its ahp and modes, and look on where it has none.',
    judge: (visit) =>
      questionsOf(visit)
        .filter(({ path }) => path !== '/agent/converse')
        .map(({ path }) => finding('DISC-005', `Something is posted to ${path}, which no manifest names.`)),
  }),
  atStation('well_known', {
    id: 'discovery.integrations',
    title: 'MCP and OpenAPI are not assumed',
    numbers: ['R-028'],
    hint: 'Use only the integrations that the manifest declares.',
    judge: ({ requests }) =>
      requests
        .filter(({ path }) => /^\/(mcp|openapi|swagger|capabilities)\b/.test(path))
        .map(({ path }) => finding('R-028', `${path} is asked for, which the manifest does not declare.`)),
  }),
  atStation('unknown_version', {
    id: 'versions.unknown',
    title: 'A site of an unknown version is only read',
    numbers: ['R-111'],
    hint: 'Read the content of the site where you do not know the version, and ask nothing.',
    judge: (visit) => [
      ...(questionsOf(visit).length > 0
        ? [finding('R-111', 'A question is asked to a site of version 7.0.')]
        : []),
      ...(visit.requests.some(({ path }) => path === '/llms.txt')
        ? []
        : [finding('R-111', 'The content that MODE1 offers is not read.')]),
    ],
  }),
  {
    id: 'requests.valid',
    title: 'Every question is valid',
    requirements: ['R-045', 'R-046', 'REQ-001', 'REQ-010'].map(rule),
    hint: 'Send no request that its schema refuses.',
    run: ({ visits }) =>
      judgeQuestions([...visits.values()], ({ json }) =>
        validateRequest(json).issues.map(({ rule: requirement, path, message }) => ({
          requirement,
          pointer: path,
          message: `A question: ${message}`,
        })),
      ),
  },
  {
    id: 'requests.version',
    title: 'Questions give the version of the protocol',
    requirements: [rule('R-044')],
    hint: 'Send "ahp": "0.1".',
    run: ({ visits }) =>
      judgeQuestions([...visits.values()], ({ json }) =>
        ownMember(json, 'ahp') === undefined ? [finding('R-044', 'A question without ahp.')] : [],
      ),
  },
  {
    id: 'requests.agent',
    title: 'Questions say who asks',
    requirements: [rule('R-072')],
    hint: 'Send context.requesting_agent.',
    run: ({ visits }) =>
      judgeQuestions([...visits.values()], ({ json }) =>
        ownText(json, 'context', 'requesting_agent') === undefined
          ? [finding('R-072', 'A question without context.requesting_agent.')]
          : [],
      ),
  },
  afterQuestion('action', {
    id: 'requests.intent',
    title: 'A request that acts declares its intent',
    numbers: ['R-043'],
    hint: 'Send context.user_intent to capabilities of MODE3.',
    judge: (visit) =>
      questionsOf(visit)
        .filter(({ json }) => (ownText(json, 'context', 'user_intent') ?? '') === '')
        .map(() => finding('R-043', 'An action is asked for without context.user_intent.')),
  }),
  {
    id: 'credentials.kept',
    title: 'The credential goes in header fields, to the site that it is for',
    requirements: [rule('AUTH-001')],
    hint: 'Send the credential to the origin of the manifest only, and in no body or address.',
    run: ({ visits, credential }) => {
      const own = [...visits.values()].flatMap(({ requests }) => requests)
      const foreign = [...visits.values()].flatMap((visit) => visit.foreign)
      const carries = ({ headers }: AgentRequest): boolean => JSON.stringify(headers).includes(credential)
      const findings = [
        ...foreign
          .filter(carries)
          .map(({ path }) => finding('AUTH-001', `The credential is sent to another origin, at ${path}.`)),
        ...[...own, ...foreign]
          .filter(({ text, path }) => text.includes(credential) || path.includes(credential))
          .map(({ path }) => finding('AUTH-001', `The credential is in a body or an address, at ${path}.`)),
      ]
      if (findings.length > 0 || own.some(carries)) return judged(findings)
      return inconclusive('The agent never used its credential.')
    },
  },
  afterQuestion('limited', {
    id: 'limits.retry_after',
    title: 'Nothing is asked before the time that Retry-After names',
    numbers: ['R-106', 'R-107'],
    hint: 'Wait as many seconds as Retry-After says before any further request to the site.',
    judge: ({ requests }) => {
      const refused = requests.findIndex(({ method }) => method === 'POST')
      const next = requests[refused + 1]
      const waitedMs = (next?.atMs ?? Number.POSITIVE_INFINITY) - (requests[refused]?.atMs ?? 0)
      if (refused < 0 || waitedMs >= RETRY_AFTER_SECONDS * 1_000 - CLOCK_TOLERANCE_MS) return []
      return [
        finding(
          'R-107',
          `The agent is back after ${Math.round(waitedMs)} ms, and Retry-After was ${RETRY_AFTER_SECONDS}.`,
        ),
      ]
    },
  }),
  afterQuestion('limited', {
    id: 'limits.passing',
    title: 'A refusal because of a limit is not the end',
    numbers: ['R-109'],
    hint: 'Ask again when the time is over.',
    judge: (visit) =>
      questionsOf(visit).length > 1 ? [] : [finding('R-109', 'The agent gives up after one status 429.')],
  }),
  afterQuestion('busy', {
    id: 'limits.backoff',
    title: 'The agent waits longer after each refusal',
    numbers: ['R-108'],
    hint: 'Double the wait after each 429 without Retry-After, and vary it at random.',
    judge: (visit) => {
      const times = questionsOf(visit).map(({ atMs }) => atMs)
      const waits = times.slice(1, REFUSALS + 1).map((time, index) => time - (times[index] ?? 0))
      const [first = 0] = waits
      const last = waits.at(-1) ?? 0
      if (waits.length < 2) return [finding('R-108', 'The agent gives up after one refusal or two.')]
      if (last > first) return []
      return [
        finding(
          'R-108',
          `After ${waits.length} refusals the agent waits ${Math.round(last)} ms, and ${Math.round(first)} ms after the first.`,
        ),
      ]
    },
  }),
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
      if (visit === undefined || questionsOf(visit).length === 0) return inconclusive(NOT_THERE('job'))
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

/** Timers may fire a little early. */
const CLOCK_TOLERANCE_MS = 20

const NOT_THERE = (station: string): string => `The agent did not do its task at the station ${station}.`

function finding(number: string, message: string, advisory?: boolean): Finding {
  return { requirement: rule(number), message, ...(advisory === true && { advisory }) }
}

interface StationCheck {
  readonly id: string
  readonly title: string
  readonly numbers: readonly string[]
  readonly hint: string
  readonly judge: (visit: Visit) => readonly Finding[]
}

/** Judges what was done at one station after a question was put there; an agent that only looked tells nothing. */
function afterQuestion(station: string, check: StationCheck): AgentCheck {
  return atStation(station, check, (visit) => questionsOf(visit).length > 0)
}

/** Judges what was done at one station; an agent that did not come there tells nothing. */
function atStation(
  station: string,
  check: StationCheck,
  didTask: (visit: Visit) => boolean = ({ requests }) => requests.length > 0,
): AgentCheck {
  const { id, title, numbers, hint, judge } = check
  return {
    id,
    title,
    requirements: numbers.map(rule),
    hint,
    run: ({ visits }) => {
      const visit = visits.get(station)
      if (visit === undefined || !didTask(visit)) return inconclusive(NOT_THERE(station))
      return judged(judge(visit))
    },
  }
}

function foundManifest({ requests }: Visit): readonly Finding[] {
  if (requests.some(({ path }) => path === '/about/agent.json')) return []
  return [finding('R-015', 'The manifest is not found.')]
}

function judgeQuestions(
  visits: readonly Visit[],
  judge: (question: AgentRequest) => readonly Finding[],
): Outcome {
  const questions = visits.flatMap(questionsOf)
  if (questions.length === 0) return inconclusive('The agent asked nothing.')
  return judged(questions.flatMap(judge), counted(questions.length, 'question'))
}
