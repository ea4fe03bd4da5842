import { at, put, set } from '../draft.js'
import { refusal } from '../site-message.js'
import { TOKEN } from '../good-concierge.js'
import {
  become,
  html,
  inAnswer,
  inManifest,
  inReply,
  isConverse,
  isIdentified,
  isPoll,
  isStranger,
  isSuccess,
  type Twin,
} from './twin.js'

/** Faults that show in all responses. */
export const RESPONSE_TWINS: readonly Twin[] = [
  {
    check: 'messages.schema',
    what: 'sources are texts',
    status: 'failed',
    fault: inReply(
      (request, reply) => isPoll(request) && isSuccess(reply),
      ({ body }) => {
        put(body, 'response.sources', ['Dune'])
      },
    ),
  },
  {
    check: 'messages.schema',
    what: 'an answer is of a type of its own that does not begin with x-',
    status: 'failed',
    fault: inReply(
      (request, reply) => isPoll(request) && isSuccess(reply),
      ({ body }) => {
        put(body, 'response.content_type', 'application/foo')
        put(body, 'meta.content_type', 'application/foo')
      },
    ),
  },
  {
    check: 'messages.schema',
    what: 'an answer in words has a payload',
    status: 'warning',
    fault: inReply(
      (request, reply) => isPoll(request) && isSuccess(reply),
      ({ body }) => {
        put(body, 'response.payload', { total: 0, items: [] })
      },
    ),
  },
  ...[
    [
      'a trace of JavaScript',
      400,
      'Bad JSON\n    at JSON.parse (<anonymous>)\n    at parse (/srv/app/body.js:12:9)',
    ],
    ['a trace of Python', 500, 'Traceback (most recent call last):\n  File "app.py", line 3, in answer'],
    ['a trace of Java', 500, 'java.lang.Error: x\n\tat test.books.Desk.answer(Desk.java:42)'],
    ['a path of a file', 500, "ENOENT: no such file or directory, open '/var/lib/books/index.json'"],
    ['a path of Windows', 403, 'Access to C:\\inetpub\\books\\desk.config is denied.'],
  ].map(([told, status, message]) => ({
    check: 'messages.internals',
    what: `an error with status ${String(status)} tells ${String(told)}`,
    status: 'warning' as const,
    fault: inReply(
      (request, reply) => isConverse(request) && reply.status === status,
      ({ body }) => {
        put(body, 'message', message)
      },
    ),
  })),
  {
    check: 'messages.cache',
    what: 'anybody may keep an answer',
    status: 'warning',
    fault: inReply(
      (request, reply) => isConverse(request) && isSuccess(reply),
      (reply) => (reply.headers['cache-control'] = 'public, max-age=60'),
    ),
  },
  {
    check: 'messages.cache',
    what: 'the state of work is kept as long as a cache likes',
    status: 'warning',
    fault: inReply(isPoll, (reply) => (reply.headers['cache-control'] = undefined)),
  },
  {
    check: 'responses.credential',
    what: 'a refusal repeats the wrong credential',
    status: 'warning',
    fault: inReply(
      (request, reply) => isConverse(request) && isStranger(request) && reply.status === 401,
      ({ body }, { headers }) => {
        put(body, 'message', `Who is ${String(headers.authorization)}?`)
      },
    ),
  },
  {
    check: 'responses.credential',
    what: 'a stranger is told the credential of another',
    status: 'failed',
    fault: inReply(
      (request, reply) => isPoll(request) && !isIdentified(request) && reply.status === 404,
      ({ body }) => {
        put(body, 'message', `It is a job of ${TOKEN}.`)
      },
    ),
  },
  {
    check: 'responses.remaining',
    what: 'what is left stays as it is',
    status: 'failed',
    fault: inReply(
      (_request, reply) => reply.status < 300,
      (reply) => (reply.headers['x-ratelimit-remaining'] = '99'),
    ),
  },
  {
    check: 'messages.errors',
    what: 'an unknown job is told in HTML',
    status: 'failed',
    fault: inReply((request, reply) => isPoll(request) && reply.status === 404, html),
  },
  {
    check: 'messages.errors',
    what: 'a status does not fit its code',
    status: 'failed',
    fault: inReply(
      (request, reply) => isPoll(request) && reply.status === 404,
      (reply) => (reply.body = refusal(404, 'forbidden').body),
    ),
  },
  {
    check: 'messages.errors',
    what: 'errors are sent as pages',
    status: 'failed',
    fault: inReply(
      (request, reply) => isPoll(request) && reply.status === 404,
      (reply) => (reply.headers['content-type'] = 'text/html'),
    ),
  },
  {
    check: 'messages.schema',
    what: 'answers are sent as pages',
    status: 'warning',
    fault: inReply(
      (request, reply) => isPoll(request) && isSuccess(reply),
      (reply) => (reply.headers['content-type'] = 'text/html'),
    ),
  },
  {
    check: 'messages.content_type',
    what: 'the type is not repeated',
    status: 'warning',
    fault: inAnswer(set('meta.content_type')),
  },
  {
    check: 'messages.media',
    what: 'a film is embedded',
    status: 'failed',
    fault: inAnswer((body) => {
      if (at(body, 'response', 'content_type') === 'media/video')
        put(body, 'response.payload.poster', 'data:image/png;base64,AAAA')
    }),
  },
  {
    check: 'messages.media',
    what: 'a film is embedded as bare Base64',
    status: 'failed',
    fault: inAnswer((body) => {
      if (at(body, 'response', 'content_type') === 'media/video')
        put(body, 'response.payload.poster', 'QUJD'.repeat(300))
    }),
  },
  {
    check: 'messages.media',
    what: 'a picture is embedded in the words of a late answer',
    status: 'failed',
    fault: inReply(
      (request, reply) => isPoll(request) && isSuccess(reply),
      ({ body }) => {
        put(body, 'response.sources.0.title', 'data:image/png;base64,AAAA')
      },
    ),
  },
  {
    check: 'messages.challenge',
    what: '401 names no scheme',
    status: 'warning',
    fault: inReply(
      (request, reply) => reply.status === 401,
      (reply) => delete reply.headers['www-authenticate'],
    ),
  },
  {
    check: 'responses.link',
    what: 'errors have no Link field',
    status: 'warning',
    fault: inReply(
      (request, reply) => reply.status >= 400,
      (reply) => delete reply.headers['link'],
    ),
  },
  {
    check: 'responses.link',
    what: 'the type is missing',
    status: 'failed',
    fault: inReply(
      () => true,
      (reply) => (reply.headers['link'] = '</.well-known/agent.json>; rel="ahp-manifest agent-manifest"'),
    ),
  },
  {
    check: 'responses.limits',
    what: 'refusals tell no limit',
    status: 'failed',
    breaks: ['R-093', 'R-116'],
    fault: inReply(
      (request, reply) => reply.status === 413,
      (reply) => delete reply.headers['x-ratelimit-remaining'],
    ),
  },
  {
    check: 'responses.limits',
    what: 'the reset is told in seconds from now',
    status: 'failed',
    fault: inReply(
      (request, reply) => reply.status === 413,
      (reply) => (reply.headers['x-ratelimit-reset'] = '30'),
    ),
  },
  {
    check: 'responses.limits',
    what: 'the reset is over',
    status: 'failed',
    fault: inReply(
      (request, reply) => reply.status === 413,
      (reply) => (reply.headers['x-ratelimit-reset'] = '1500000000'),
    ),
  },
  {
    check: 'responses.limits',
    what: 'more is left than there is',
    status: 'failed',
    fault: inReply(
      (request, reply) => reply.status === 413,
      (reply) => (reply.headers['x-ratelimit-remaining'] = '9999'),
    ),
  },
  {
    check: 'responses.declared_limits',
    what: 'another limit is declared',
    status: 'failed',
    fault: inManifest(set('rate_limits.unauthenticated.requests', '30/minute')),
  },
  {
    check: 'responses.retry_after',
    what: 'the end of a session says nothing',
    status: 'failed',
    fault: inReply(
      (request, reply) => reply.status === 429 && at(reply.body, 'scope') === 'session',
      (reply) => delete reply.headers['retry-after'],
    ),
  },
  {
    check: 'rate.enforced',
    what: 'the code is another',
    status: 'failed',
    fault: inReply(
      (request, reply) => at(reply.body, 'scope') === 'ip',
      ({ body }) => {
        put(body, 'code', 'unavailable')
      },
    ),
  },
  {
    check: 'rate.recovers',
    what: 'Retry-After is too short',
    status: 'failed',
    fault: inReply(
      (request, reply) => at(reply.body, 'scope') === 'ip',
      (reply) =>
        become(reply, refusal(429, 'rate_limited', { scope: 'ip', retry_after: 1 }, { 'retry-after': '1' })),
    ),
  },
]
