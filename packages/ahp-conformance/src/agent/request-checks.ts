import { validateRequest } from '@doorplate/ahp-manifest/messages'
import { inconclusive, judged } from '@doorplate/conformance-kit'
import { ownMember, ownText } from '../own-member.js'
import { rule } from '../requirements.js'
import { afterQuestion, finding, judgeQuestions, type AgentCheck } from './agent-check.js'
import { questionsOf, type AgentRequest } from './station.js'

/** What an agent sends, and to whom. */
export const requestChecks: readonly AgentCheck[] = [
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
]
