import { at, put, set, type Draft } from '../draft.js'
import type { Fault } from '../good-site.js'
import { refusal } from '../site-message.js'
import {
  ALWAYS,
  answerBody,
  answered,
  become,
  inManifest,
  inMcp,
  inOpenapi,
  inRefusal,
  inReply,
  inServedManifest,
  instead,
  isConverse,
  isIdentified,
  isMcp,
  isPoll,
  isSuccess,
  memberOf,
  type Twin,
} from './twin.js'

/** The site tells of some of its capabilities alone, wherever it tells of them, and answers for all. */
function declaringOnly(isTold: (own: Draft) => boolean): Fault {
  let names: readonly unknown[] = []
  const served = inServedManifest((manifest) => {
    const told = (manifest['capabilities'] as Draft[]).filter(isTold)
    names = told.map(({ name }) => name)
    manifest['capabilities'] = told.length > 0 ? told : undefined
  })
  return {
    reply: (reply, request, state) => {
      served.reply?.(reply, request, state)
      if (at(reply.body, 'code') === 'unknown_capability') put(reply.body, 'available_capabilities', names)
    },
  }
}

/** For rules of the draft that share a check with others: each breaks another one of them. */
export const RULE_TWINS: readonly Twin[] = [
  {
    check: 'manifest.identity',
    what: 'no mode is declared',
    status: 'failed',
    breaks: ['R-018'],
    fault: inServedManifest(set('modes', 'none')),
  },
  {
    check: 'manifest.schema',
    what: 'no signal is stated',
    status: 'failed',
    breaks: ['R-069'],
    fault: inServedManifest(set('content_signals')),
  },
  {
    check: 'manifest.schema',
    what: 'an integration has no URL',
    status: 'failed',
    breaks: ['R-022'],
    fault: inServedManifest(set('integrations.other', { version: '1' })),
  },
  {
    check: 'manifest.schema',
    what: 'a type of its own names no vendor',
    status: 'failed',
    breaks: ['R-122'],
    fault: inServedManifest(set('capabilities.2.response_types', ['text/answer', 'x-/data'])),
  },
  {
    check: 'manifest.modes',
    what: 'there are no capabilities',
    status: 'failed',
    fault: declaringOnly(() => false),
  },
  {
    check: 'manifest.modes',
    what: 'MODE2 has no capability',
    status: 'failed',
    fault: declaringOnly(({ mode }) => mode !== 'MODE2'),
  },
  {
    check: 'manifest.actions',
    what: 'it does not say what a capability of MODE3 does',
    status: 'failed',
    fault: inServedManifest(set('capabilities.4.action_type')),
  },
  {
    check: 'errors.missing_field',
    what: 'a question to nobody is answered',
    status: 'failed',
    breaks: ['R-045'],
    fault: answered((request) => memberOf(request, 'query') === 'hello' && request.body['capability'] === ''),
  },
  {
    check: 'errors.missing_field',
    what: 'no question is answered',
    status: 'failed',
    breaks: ['R-046'],
    fault: answered(({ body }) => typeof body['capability'] === 'string' && body['query'] === null),
  },
  {
    check: 'errors.too_large',
    what: 'too long a body is merely invalid',
    status: 'failed',
    fault: inRefusal('request_too_large', (reply) => become(reply, refusal(400, 'invalid_request'))),
  },
  {
    check: 'types.fallback',
    what: 'a declared fallback is not there',
    status: 'failed',
    fault: instead(
      (request) =>
        isConverse(request) &&
        memberOf(request, 'capability') === 'trailer' &&
        memberOf(request, 'context', 'accept_types', '1') === undefined &&
        String(memberOf(request, 'context', 'accept_types', '0')).startsWith('x-'),
      () => refusal(400, 'unsupported_type', { available_types: ['media/video'] }),
    ),
  },
  {
    check: 'sessions.turn_limit',
    what: 'the declared budget of tokens is none',
    status: 'failed',
    fault: inManifest(set('rate_limits.unauthenticated.token_budget', '50/session')),
  },
  {
    check: 'async.accepted',
    what: 'work that takes its time is answered at once',
    status: 'failed',
    breaks: ['R-077'],
    fault: answered((request) => memberOf(request, 'capability') === 'ask_person' && isIdentified(request)),
  },
  {
    check: 'async.completed',
    what: 'nothing is at the address to poll',
    status: 'failed',
    fault: instead(
      (request) => isPoll(request) && isIdentified(request),
      () => refusal(404, 'invalid_request'),
    ),
  },
  {
    check: 'messages.schema',
    what: 'a state is none of the protocol',
    status: 'failed',
    breaks: ['R-082'],
    fault: inReply(
      (request, reply) => isConverse(request) && isSuccess(reply) && request.text.includes('omega'),
      ({ body }) => {
        put(body, 'status', 'active')
      },
    ),
  },
  {
    check: 'messages.schema',
    what: 'an answer of a type of its own has no words',
    status: 'failed',
    breaks: ['R-123'],
    fault: inReply(
      (request, reply) => isConverse(request) && isSuccess(reply) && request.text.includes('omega'),
      ({ body }) => {
        put(body, 'response.content_type', 'x-shop/book')
        put(body, 'meta.content_type', 'x-shop/book')
        put(body, 'response.answer')
      },
    ),
  },
  {
    check: 'messages.schema',
    what: 'a payload is not of its type',
    status: 'failed',
    breaks: ['R-120'],
    fault: inReply(
      (request, reply) =>
        isConverse(request) && at(reply.body, 'response', 'content_type') === 'application/feed',
      ({ body }) => {
        put(body, 'response.payload', { total: 'one' })
      },
    ),
  },
  {
    check: 'mcp.initialize',
    what: 'nothing is answered to POST',
    status: 'failed',
    breaks: ['R-126'],
    fault: instead(isMcp, () => refusal(405, 'invalid_request', {}, { allow: 'GET' })),
  },
  {
    check: 'mcp.tools',
    what: 'a tool has another name than its capability',
    status: 'failed',
    breaks: ['R-131'],
    fault: inMcp('tools/list', set('tools.0.name', 'Search')),
  },
  {
    check: 'mcp.tools',
    what: 'a tool is described otherwise',
    status: 'warning',
    fault: inMcp('tools/list', set('tools.0.description', 'Does it.')),
  },
  {
    check: 'mcp.tools',
    what: 'a tool does not require a query',
    status: 'failed',
    fault: inMcp('tools/list', set('tools.0.inputSchema.required', [])),
  },
  {
    check: 'mcp.auth',
    what: 'a credential in _meta.auth is not seen',
    status: 'failed',
    fault: {
      answer: (request) => {
        if (isMcp(request) && at(request.body, 'params', '_meta', 'auth') !== undefined)
          put(request.body, 'params._meta')
        return undefined
      },
    },
  },
  {
    check: 'openapi.operations',
    what: 'a capability is no operation',
    status: 'failed',
    fault: inOpenapi(set('paths./capabilities/trailer')),
  },
  {
    check: 'openapi.operations',
    what: 'what is only read can be posted to',
    status: 'warning',
    breaks: ['R-144'],
    fault: inOpenapi(
      set('paths./capabilities/imprint', {
        post: { operationId: 'imprint', responses: { 200: { description: 'The imprint' } } },
      }),
    ),
  },
  {
    check: 'rate.enforced',
    what: 'no limit holds',
    status: 'failed',
    breaks: ['R-058', 'R-099'],
    fault: inReply(
      (request, reply) => at(reply.body, 'scope') === 'ip',
      (reply) => become(reply, { ...ALWAYS, body: answerBody('s-x') }),
    ),
  },
  {
    check: 'rate.enforced',
    what: 'the limit of an address is told as that of a session',
    status: 'warning',
    fault: inReply(
      (request, reply) => at(reply.body, 'scope') === 'ip',
      ({ body }) => {
        put(body, 'scope', 'session')
      },
    ),
  },
]
