import { randomBytes } from 'node:crypto'
import { at, put, set } from '../draft.js'
import type { Fault } from '../good-site.js'
import { refusal } from '../site-message.js'
import {
  ALWAYS,
  answerBody,
  answered,
  become,
  feedFor,
  inAnswer,
  inRefusal,
  inReply,
  instead,
  isConverse,
  isOpenapi,
  isSuccess,
  memberOf,
  type Twin,
} from './twin.js'

const namesHidden = inRefusal('unknown_capability', ({ body }) => {
  ;(at(body, 'available_capabilities') as string[]).push('backstage')
})

/** New sessions get ids of another kind. */
function withSessionIds(idOf: (count: number) => string): Fault {
  return inReply(
    (request, reply) =>
      isConverse(request) && reply.status === 200 && typeof memberOf(request, 'session_id') !== 'string',
    ({ body }, _request, state) => {
      const known = state.sessions.get(String(at(body, 'session_id')))
      if (known === undefined) return
      const id = idOf(state.count++)
      state.sessions.set(id, known)
      put(body, 'session_id', id)
    },
  )
}

/** Faults of questions and answers. */
export const MODE2_TWINS: readonly Twin[] = [
  {
    check: 'converse.declared',
    what: 'nothing is at the converse endpoint',
    status: 'failed',
    fault: instead(isConverse, () => refusal(404, 'invalid_request')),
  },
  {
    check: 'converse.answer',
    what: 'questions fail',
    status: 'failed',
    fault: instead(
      (request) =>
        isConverse(request) &&
        memberOf(request, 'query') === 'What can I find here?' &&
        memberOf(request, 'capability') !== 'orders' &&
        memberOf(request, 'context', 'accept_types') === undefined,
      () => refusal(500, 'concierge_error'),
    ),
  },
  {
    check: 'converse.meta',
    what: 'the signals are not echoed',
    status: 'warning',
    fault: inAnswer(set('meta.content_signals')),
  },
  {
    check: 'converse.progress',
    what: 'progress is absent',
    status: 'warning',
    fault: inAnswer(set('progress')),
  },
  {
    check: 'converse.context',
    what: 'a null context is refused',
    status: 'warning',
    fault: instead(
      (request) => isConverse(request) && memberOf(request, 'context') === null,
      () => refusal(400, 'invalid_request'),
    ),
  },
  {
    check: 'converse.later_version',
    what: 'unknown members are refused',
    status: 'failed',
    breaks: ['R-112'],
    fault: instead(
      (request) => isConverse(request) && memberOf(request, 'x_doorplate') === 1,
      () => refusal(400, 'invalid_request'),
    ),
  },
  {
    check: 'converse.sources',
    what: 'a source leads nowhere',
    status: 'failed',
    fault: inAnswer(set('response.sources', [{ url: '/gone' }])),
  },
  {
    check: 'converse.max_tokens',
    what: 'max_tokens is ignored',
    status: 'failed',
    fault: inAnswer(set('response.answer', 'Many words. '.repeat(50))),
  },
  {
    check: 'errors.malformed',
    what: 'a query of many parts is answered',
    status: 'failed',
    breaks: ['R-119'],
    fault: answered((request) => Array.isArray(memberOf(request, 'query'))),
  },
  {
    check: 'errors.malformed',
    what: 'bad JSON has another code',
    status: 'failed',
    fault: instead(
      (request) => isConverse(request) && request.text === '{"capability":',
      () => refusal(400, 'missing_field'),
    ),
  },
  {
    check: 'errors.missing_field',
    what: 'another code is sent',
    status: 'failed',
    fault: inRefusal('missing_field', (reply) => (reply.body = refusal(400, 'invalid_request').body)),
  },
  {
    check: 'errors.unknown_capability',
    what: 'an inherited name is a capability',
    status: 'failed',
    fault: answered((request) => memberOf(request, 'capability') === 'constructor'),
  },
  {
    check: 'errors.unknown_capability',
    what: 'the list is missing',
    status: 'failed',
    fault: inRefusal('unknown_capability', ({ body }) => {
      put(body, 'available_capabilities')
    }),
  },
  {
    check: 'errors.unknown_capability',
    what: 'the list names what is not declared',
    status: 'warning',
    fault: namesHidden,
  },
  {
    check: 'errors.unknown_capability',
    what: 'what is not declared is answered',
    status: 'failed',
    fault: { ...namesHidden, ...answered((request) => memberOf(request, 'capability') === 'backstage') },
  },
  {
    check: 'errors.unknown_capability',
    what: 'names are matched whatever their case',
    status: 'warning',
    fault: answered((request) => memberOf(request, 'capability') === 'SEARCH'),
  },
  {
    check: 'errors.too_large',
    what: 'any body is taken',
    status: 'warning',
    fault: inRefusal('request_too_large', (reply) => become(reply, { ...ALWAYS, body: answerBody('s-x') })),
  },
  {
    check: 'errors.method',
    what: 'text is taken for JSON',
    status: 'warning',
    fault: answered(({ headers }) => headers['content-type'] === 'text/plain'),
  },
  {
    check: 'errors.fault',
    what: 'a fault is an answer',
    status: 'failed',
    fault: inRefusal('concierge_error', (reply) => become(reply, { ...ALWAYS, body: answerBody('s-x') })),
  },
  {
    check: 'errors.unavailable',
    what: 'it is a fault',
    status: 'failed',
    fault: inRefusal('unavailable', (reply) => become(reply, refusal(500, 'concierge_error'))),
  },
  {
    check: 'types.declared',
    what: 'a declared type is not served',
    status: 'failed',
    fault: answered((request) => memberOf(request, 'context', 'accept_types', '0') === 'application/feed'),
  },
  {
    check: 'types.preferred',
    what: 'the order of the site counts',
    status: 'failed',
    fault: feedFor((request) => memberOf(request, 'context', 'accept_types', '2') !== undefined),
  },
  {
    check: 'types.default',
    what: 'a feed is served to whom did not ask',
    status: 'warning',
    fault: feedFor(
      (request) =>
        memberOf(request, 'capability') === 'search' &&
        memberOf(request, 'context', 'accept_types') === undefined,
    ),
  },
  {
    check: 'types.fallback',
    what: 'it does not say from what',
    status: 'failed',
    fault: inAnswer(set('meta.fallback_from')),
  },
  {
    check: 'types.unsupported',
    what: 'the types are not listed',
    status: 'failed',
    fault: inRefusal('unsupported_type', ({ body }) => {
      put(body, 'available_types')
    }),
  },
  {
    check: 'types.unsupported',
    what: 'types are listed that are not declared',
    status: 'warning',
    fault: inRefusal('unsupported_type', ({ body }) => {
      ;(at(body, 'available_types') as string[]).push('media/video')
    }),
  },
  {
    check: 'clarification.asked',
    what: 'it guesses',
    status: 'warning',
    fault: answered((request) => memberOf(request, 'query') === 'dune'),
  },
  {
    check: 'clarification.answered',
    what: 'the reply is refused',
    status: 'failed',
    fault: instead(
      (request) => isConverse(request) && memberOf(request, 'clarification') === 'novel',
      () => refusal(400, 'invalid_request'),
    ),
  },
  {
    check: 'clarification.other_session',
    what: 'a reply is taken in any session',
    status: 'warning',
    fault: {
      answer: (_request, { sessions }) => {
        for (const session of sessions.values()) session.isAwaiting = true
        return undefined
      },
    },
  },
  {
    check: 'clarification.unasked',
    what: 'a reply to nothing is answered',
    status: 'warning',
    fault: answered((request) => memberOf(request, 'clarification') === 'the first'),
  },
  {
    check: 'sessions.continued',
    what: 'every turn opens a session',
    status: 'warning',
    fault: inReply(
      (request, reply) =>
        isConverse(request) && isSuccess(reply) && typeof memberOf(request, 'session_id') === 'string',
      ({ body }) => {
        put(body, 'session_id', 's-other')
      },
    ),
  },
  {
    check: 'sessions.unknown',
    what: 'an id that was made up is taken',
    status: 'failed',
    fault: answered((request) => /^0{8}-/.test(String(memberOf(request, 'session_id')))),
  },
  ...[
    { what: 'sessions are counted', id: (count: number) => `session-${count}` },
    {
      what: 'sessions are counted in hexadecimal',
      id: (count: number) => `0000${(4_000 + count).toString(16)}`,
    },
    { what: 'the id of a session is short', id: () => randomBytes(4).toString('hex') },
    {
      what: 'the id of a session is a time and a place',
      id: (count: number) => `${(0x2f1a_0000 + count * 9_973).toString(16)}-7b3e-11f0-8de9-0242ac120002`,
    },
  ].map(({ what, id }) => ({
    check: 'sessions.unguessable',
    what,
    status: 'warning' as const,
    fault: withSessionIds(id),
  })),
  {
    check: 'sessions.turn_limit',
    what: 'a session never ends',
    status: 'warning',
    fault: {
      answer: (request, { sessions }) => {
        for (const session of sessions.values()) session.turns = 1
        return undefined
      },
    },
  },
  {
    check: 'sessions.turn_limit',
    what: 'the end looks like a limit of the address',
    status: 'warning',
    fault: inReply(
      (request, reply) => isConverse(request) && at(reply.body, 'scope') === 'session',
      (reply) => become(reply, refusal(400, 'invalid_request')),
    ),
  },
  {
    check: 'sessions.expiry',
    what: 'a session lives for ever',
    status: 'warning',
    fault: {
      answer: (request, { sessions }) => {
        for (const session of sessions.values()) session.usedAtMs = Number.MAX_SAFE_INTEGER
        return undefined
      },
    },
  },
  {
    check: 'sessions.owner',
    what: 'anybody continues any session',
    status: 'failed',
    fault: {
      answer: (request, { sessions }) => {
        const id = memberOf(request, 'session_id')
        const session = typeof id === 'string' ? sessions.get(id) : undefined
        if (session !== undefined && typeof id === 'string')
          sessions.set(id, { ...session, owner: request.headers.authorization ?? '' })
        return undefined
      },
    },
  },
  {
    check: 'safety.sessions_apart',
    what: 'what was said is kept for all',
    status: 'failed',
    breaks: ['R-114'],
    fault: {
      reply: (reply, request, { said }) => {
        if (isSuccess(reply) && memberOf(request, 'query') === 'Which word did I mention before?')
          put(reply.body, 'response.answer', said.join(' '))
      },
    },
  },
  {
    check: 'safety.answers_apart',
    what: 'the beginning of a question is its key',
    status: 'failed',
    fault: inReply(
      (request, reply) => isConverse(request) && isSuccess(reply) && request.text.includes('omega'),
      ({ body }) => {
        put(body, 'meta.cached', true)
      },
    ),
  },
  {
    check: 'safety.forwarded_host',
    what: 'a forged host is believed',
    status: 'failed',
    fault: inReply(
      (request) => isOpenapi(request) && request.headers['x-forwarded-host'] !== undefined,
      (reply, { headers }) => {
        put(reply.body, 'servers', [{ url: `https://${String(headers['x-forwarded-host'])}` }])
      },
    ),
  },
]
