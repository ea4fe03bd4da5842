import { at, put } from '../draft.js'
import { refusal } from '../site-message.js'
import {
  ALWAYS,
  answered,
  become,
  identify,
  inRefusal,
  inReply,
  instead,
  isConverse,
  isIdentified,
  isPoll,
  isStranger,
  isSuccess,
  memberOf,
  type Twin,
} from './twin.js'

/** Faults of what acts and what is answered later. */
export const MODE3_TWINS: readonly Twin[] = [
  {
    check: 'auth.required',
    what: 'an action is open',
    status: 'failed',
    breaks: ['R-075', 'R-115'],
    fault: answered((request) => memberOf(request, 'capability') === 'place_order' && !isIdentified(request)),
  },
  {
    check: 'auth.accepted',
    what: 'the credential is refused for questions',
    status: 'failed',
    fault: instead(
      (request) =>
        isConverse(request) &&
        memberOf(request, 'capability') === 'orders' &&
        memberOf(request, 'query') !== 'forbidden',
      () => refusal(401, 'auth_required', {}, { 'www-authenticate': 'Bearer' }),
    ),
  },
  {
    check: 'auth.wrong',
    what: 'any credential is taken',
    status: 'failed',
    fault: {
      answer: (request) => {
        if (isConverse(request) && isStranger(request)) identify(request)
        return undefined
      },
    },
  },
  {
    check: 'auth.wrong',
    what: 'a wrong credential has too few rights',
    status: 'warning',
    fault: instead(
      (request) => isConverse(request) && isStranger(request),
      () => refusal(403, 'forbidden'),
    ),
  },
  {
    check: 'auth.action',
    what: 'an action is refused to whom may',
    status: 'failed',
    fault: instead(
      (request) =>
        isConverse(request) && memberOf(request, 'capability') === 'place_order' && isIdentified(request),
      () => refusal(403, 'forbidden'),
    ),
  },
  {
    check: 'auth.forbidden',
    what: 'too few rights are too little identity',
    status: 'failed',
    fault: inRefusal('forbidden', (reply) =>
      become(reply, refusal(401, 'auth_required', {}, { 'www-authenticate': 'Bearer' })),
    ),
  },
  {
    check: 'async.unknown_job',
    what: 'an unknown job is pending for ever',
    status: 'warning',
    fault: instead(
      (request) => request.path.includes('absent') && isPoll(request),
      () => ({ ...ALWAYS, body: { status: 'pending', session_id: 'x' } }),
    ),
  },
  {
    check: 'async.accepted',
    what: 'no time to wait is told',
    status: 'failed',
    fault: inReply(
      (request, reply) => isConverse(request) && at(reply.body, 'status') === 'accepted',
      ({ body }) => {
        put(body, 'eta_seconds')
      },
    ),
  },
  {
    check: 'async.completed',
    what: 'the late answer has no meta',
    status: 'failed',
    fault: inReply(
      (request, reply) => isPoll(request) && isSuccess(reply),
      ({ body }) => {
        put(body, 'meta', { content_type: 'text/answer' })
      },
    ),
  },
  {
    check: 'async.completed',
    what: 'the state is told with the id of another job',
    status: 'failed',
    fault: inReply(
      (request, reply) => isPoll(request) && at(reply.body, 'status') === 'pending',
      ({ body }) => {
        put(body, 'session_id', 'j-x')
      },
    ),
  },
  {
    check: 'async.owner',
    what: 'anybody reads any job',
    status: 'failed',
    fault: instead(
      (request) => isPoll(request) && !isIdentified(request) && !request.path.includes('absent'),
      () => ({ ...ALWAYS, body: { status: 'pending', session_id: 'x' } }),
    ),
  },
  {
    check: 'async.callback_refused',
    what: 'a callback to a local address is accepted',
    status: 'failed',
    fault: instead(
      (request) =>
        isConverse(request) &&
        String(memberOf(request, 'context', 'callback_url')).startsWith('https://[::1]'),
      () => ({
        ...ALWAYS,
        body: { status: 'accepted', session_id: 'j-x', eta_seconds: 1, poll: '/agent/converse/status/j-x' },
      }),
    ),
  },
  {
    check: 'async.callback',
    what: 'the callback URL is refused',
    status: 'failed',
    fault: instead(
      (request) => String(memberOf(request, 'context', 'callback_url')).startsWith('https://agent.test'),
      () => refusal(400, 'invalid_request'),
    ),
  },
]
