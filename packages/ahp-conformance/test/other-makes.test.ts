import { createSafeFetch } from '@doorplate/safe-fetch'
import { startServer } from '@internal/loopback'
import { describe, expect, it } from 'vitest'
import { checkGoodSite, KNOWN } from './check-site.js'
import { at, put, type Draft } from './draft.js'
import { createGoodSite, type Fault } from './good-site.js'
import { refusal } from './site-message.js'
import {
  asksManifest,
  html,
  inOpenapi,
  inReply,
  isContent,
  isConverse,
  isMcp,
  isPoll,
  memberOf,
  type Twin,
} from './twins/twin.js'

const MANIFEST_PATH = '/.well-known/agent.json'
const { probes, ...REST } = KNOWN

/** Nothing that is answered later, and whatever the server says to a path that does not exist. */
const QUESTIONS_ONLY: Fault = {
  manifest: (manifest) => {
    manifest['modes'] = ['MODE1', 'MODE2']
    manifest['capabilities'] = (manifest['capabilities'] as Draft[]).filter(({ mode }) => mode !== 'MODE3')
    put(manifest, 'async')
  },
  ...inReply(isPoll, (reply) => {
    html(reply)
    reply.headers['x-ratelimit-limit'] = undefined
  }),
}

const STATELESS: Fault = {
  ...QUESTIONS_ONLY,
  answer: (request) => {
    if (typeof request.body['session_id'] === 'string') put(request.body, 'session_id')
    return undefined
  },
  reply: (reply) => {
    if (at(reply.body, 'status') === 'success') put(reply.body, 'session_id')
  },
}

/** Sites that are made differently, and break nothing that the protocol says. */
const LEGAL: readonly Pick<Twin, 'what' | 'fault'>[] = [
  { what: 'answers nothing later', fault: QUESTIONS_ONLY },
  { what: 'keeps no sessions', fault: STATELESS },
  {
    what: 'has its described paths below another one',
    fault: {
      answer: (request) => {
        const [, path] = /^\/api(\/capabilities\/.*)$/.exec(request.path) ?? []
        if (path !== undefined) Object.assign(request, { path })
        else if (request.path.startsWith('/capabilities/')) return refusal(404, 'invalid_request')
        return undefined
      },
      ...inOpenapi((document) => {
        put(document, 'servers', [
          { url: '{scheme}://books.test/api/', variables: { scheme: { default: 'https' } } },
        ])
      }),
    },
  },
  {
    what: 'compresses bodies, and so not what HEAD is answered',
    fault: inReply(
      ({ path }) => path === MANIFEST_PATH,
      (reply, { method }) => {
        reply.headers['vary'] = 'Accept, Accept-Encoding'
        reply.headers['etag'] = method === 'HEAD' ? '"1"' : 'W/"1"'
      },
    ),
  },
  {
    what: 'accepts work with status 202',
    fault: inReply(
      (_, reply) => at(reply.body, 'status') === 'accepted',
      (reply) => (reply.status = 202),
    ),
  },
  {
    what: 'asks every stranger for a credential before it tells of any job',
    fault: {
      answer: (request) =>
        isPoll(request) && request.headers.authorization === undefined
          ? refusal(401, 'auth_required', {}, { 'www-authenticate': 'Bearer' })
          : undefined,
    },
  },
  {
    what: 'redirects to the manifest who accepts it',
    fault: inReply(
      (request, reply) => isContent(request) && at(reply.body, 'ahp') !== undefined,
      (reply) => {
        Object.assign(reply, { status: 302, body: '' })
        reply.headers['location'] = MANIFEST_PATH
      },
    ),
  },
  {
    what: 'negotiates nothing, and so varies by nothing',
    fault: {
      answer: ({ path, headers }) => {
        if (asksManifest({ headers } as never) && path !== MANIFEST_PATH) headers.accept = '*/*'
        return undefined
      },
      reply: (reply) => (reply.headers['vary'] = undefined),
    },
  },
  {
    what: 'keeps sessions in MCP',
    fault: {
      answer: (request) => {
        const isOpen =
          memberOf(request, 'method') === 'initialize' || request.headers['mcp-session-id'] === 'M1'
        return !isMcp(request) || isOpen ? undefined : { status: 400, headers: {}, body: 'No session.' }
      },
      reply: (reply, request) => {
        if (memberOf(request, 'method') === 'initialize') reply.headers['mcp-session-id'] = 'M1'
      },
    },
  },
  {
    what: 'speaks a later version of MCP',
    fault: inReply(
      (request) => memberOf(request, 'method') === 'initialize',
      ({ body }) => {
        if (at(body, 'result') !== undefined) put(body, 'result.protocolVersion', '2025-06-18')
      },
    ),
  },
  {
    what: 'explains data URLs',
    fault: inReply(isConverse, ({ body }) => {
      if (at(body, 'status') === 'success')
        put(body, 'response.answer', 'Write data:image/png;base64, first.')
    }),
  },
]

describe('a legal site of another make', () => {
  it.each(LEGAL)('fails nothing: it $what', async ({ fault }) => {
    const { ambiguous, action, job, ...questions } = probes ?? {}
    const acts = fault.manifest === undefined && { action, job }
    const keeps = fault !== STATELESS && { ambiguous }
    const { report } = await checkGoodSite(fault, {
      ...REST,
      probes: { ...questions, ...acts, ...keeps },
    })
    const failed = report.checks.filter(({ status }) => status === 'failed' || status === 'inconclusive')
    expect(failed.map(({ id, findings }) => [id, findings])).toEqual([])
    expect(report.checks.find(({ id }) => id === 'manifest.head')?.status).toBe('passed')
  })
})

describe('a site on several origins', () => {
  it('fails nothing, and nobody else is judged', async () => {
    const desk = await startServer(createGoodSite({ now: Date.now }))
    const shelf = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/markdown' }).end('# Books')
    })
    const fetch = createSafeFetch({ dangerouslyAllow: ['127.0.0.0/8'] })
    try {
      const elsewhere = { converse: `${desk.origin}/agent/converse`, content: `${shelf.origin}/books.md` }
      const { report } = await checkGoodSite(
        {
          manifest: (own) => {
            put(own, 'endpoints', elsewhere)
          },
        },
        { credential: KNOWN.credential!, probes: probes!, fetch },
      )
      const found = report.checks.filter(({ status }) => !['passed', 'skipped'].includes(status))
      expect(found.map(({ id, findings }) => [id, findings])).toEqual([])
      const closed = report.checks.find(({ id }) => id === 'async.accepted')
      expect(closed?.message).toMatch(
        /^The job needs a credential. It is for http.+, and goes nowhere else.$/,
      )
    } finally {
      await fetch.close()
      await shelf.close()
      await desk.close()
    }
  })
})

describe('what was not seen to the end', () => {
  const asksBackWhereVague: Fault = {
    answer: (request) => {
      const { query, context } = request.body
      const isVague = query === 'What can I find here?' && at(context, 'accept_types') === undefined
      if (!isConverse(request) || !isVague || request.body['capability'] === 'orders') return undefined
      const clarification = { question: 'What do you mean?', options: null, free_form: true }
      const body = { status: 'clarification_needed', session_id: 's-x', clarification }
      return { status: 200, headers: {}, body }
    },
  }
  const endless: Fault = inReply(isPoll, (reply) => {
    if (at(reply.body, 'status') === 'success')
      reply.body = { status: 'pending', session_id: 'j-0', progress: 'Soon.', eta_seconds: 1 }
  })
  const closed: Fault = {
    manifest: (manifest) => {
      for (const own of manifest['capabilities'] as Draft[]) own['auth_required'] = true
    },
  }

  it.each([
    ['converse.answer', 'only vague questions are asked back', asksBackWhereVague, {}],
    ['converse.answer', 'every question needs a credential', closed, {}],
    ['async.completed', 'work that never ends', endless, { job: { capability: 'ask_person' } }],
  ])('certifies nothing: %s, %s', async (check, _what, fault, named) => {
    const credential = 'job' in named ? { credential: KNOWN.credential! } : {}
    const { report } = await checkGoodSite(fault, { ...credential, probes: named, jobTimeoutMs: 2_000 })
    expect(report.checks.find(({ id }) => id === check)?.status).toBe('inconclusive')
    expect(report.status).toBe('inconclusive')
  })

  it('is seen with the credential where every question is closed', async () => {
    const { report } = await checkGoodSite(closed, { credential: KNOWN.credential! })
    expect(report.checks.find(({ id }) => id === 'converse.answer')?.status).toBe('passed')
    expect(report.status).toBe('passed')
  })
})
