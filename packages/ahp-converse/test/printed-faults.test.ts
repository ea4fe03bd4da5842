import { jsonSchema, tool, type ToolSet } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { answerWith, type AnswerWithOptions } from '../src/ai.js'
import { createDesk } from '../src/desk.js'
import { createKnowledge } from '../src/knowledge.js'
import type { Answerer } from '../src/outcome.js'
import { type Concierge, type ConciergeConfig, defineConcierge } from '../src/server.js'
import { SHOP } from './knowledge/shop.js'
import { turnOf } from './knowledge/turn.js'

let printed: MockInstance<typeof console.error>

beforeEach(() => {
  printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

afterEach(() => {
  printed.mockRestore()
})

function lines(): string[] {
  return printed.mock.calls.map((line) => line.join(' '))
}

function declare(answer: Answerer, overrides: Partial<ConciergeConfig> = {}): Concierge {
  return defineConcierge({
    name: 'Shop',
    publicUrl: 'https://shop.example',
    contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
    capabilities: { help: { description: 'Helps.', mode: 'MODE2', answer } },
    ...overrides,
  })
}

function throwing(error: unknown): Answerer {
  return () => {
    throw error
  }
}

function ask(concierge: Concierge, query: string = 'Why?'): Promise<Response> {
  return concierge.handleRequest(
    new Request('https://shop.example/agent/converse', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ capability: 'help', query }),
    }),
  )
}

const refused = (): Promise<never> => Promise.reject(new Error('connect ECONNREFUSED'))
const away = { penalty: refused, get: refused }
const answered: Answerer = () => ({ answer: 'So.' })

describe('a concierge without onError', () => {
  test('says what a failure is due to', async () => {
    const cause = Object.assign(new Error('connect to https://who:what@db.example'), { code: 'ECONNREFUSED' })
    await ask(declare(throwing(new TypeError('fetch failed', { cause }))))
    expect(lines()[0]).toContain('TypeError: fetch failed, caused by Error (ECONNREFUSED): connect to ')
    expect(lines()[0]).not.toContain('what@')
  })

  test('prints each question that failed, with the id that the visitor was told', async () => {
    const concierge = declare(throwing(new TypeError('db.query is not a function')))
    for (let round = 0; round < 2; round++) {
      const response = await ask(concierge)
      expect(response.status).toBe(500)
      expect(lines()[round]).toBe(
        `[ahp-converse] Request ${String(response.headers.get('x-request-id'))} failed at answer of "help": ` +
          'TypeError: db.query is not a function. Look at answer of the capability.',
      )
    }
  })

  test('says of an answer that cannot be sent why', async () => {
    await ask(declare(() => ({ answer: '' })))
    expect(lines()).toHaveLength(1)
    expect(lines()[0]).toContain('ConverseError (invalid_outcome): ')
  })

  test('says the same of a job, with the id that the visitor is told', async () => {
    const capabilities: ConciergeConfig['capabilities'] = {
      help: { description: 'Helps.', mode: 'MODE2', answer: answered },
      act: {
        description: 'Acts.',
        mode: 'MODE3',
        actionType: 'async',
        acceptAfterMs: 10_000,
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
        answer: throwing(new RangeError('no stock')),
      },
    }
    const concierge = declare(answered, { capabilities, verify: () => ({ id: 'reader' }) })
    const reply = await concierge.converse({
      request: { capability: 'act', query: 'Act.', input: {} },
      caller: { address: '192.0.2.1', principal: { id: 'reader' } },
    })
    await concierge.close()
    expect(lines()).toHaveLength(1)
    const [, id] = /^\[ahp-converse\] Request (\S+) failed at answer of "act": /.exec(lines()[0] ?? '') ?? []
    expect(lines()[0]).toContain('RangeError: no stock. Look at answer of the capability.')
    expect(JSON.stringify(reply.body)).toContain(id)
  })

  test.each<[string, unknown, string]>([
    ['the password of a URL', new Error('no postgres://me:hunter2@db.test/x'), 'db.test/x'],
    ['a bearer token', new Error('Authorization: Bearer hunter2'), '[redacted]'],
    ['a key', new Error('api_key=hunter2 was refused'), 'was refused'],
    ['several lines', new Error('one\r\n\u001b[2Jtwo\u202ethree\u2028four'), 'one [2Jtwo three four.'],
    [
      'no message but a code',
      Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }),
      'AggregateError (ECONNREFUSED): without a message.',
    ],
    ['a code', Object.assign(new Error('gone'), { code: 'ENOENT' }), 'Error (ENOENT): gone.'],
    ['a text', 'away', ': away.'],
    ['nothing', null, 'a thrown null'],
    ['a long text', 'x'.repeat(10_000), 'x…'],
    ['a character that is cut in two', 'x'.repeat(498) + '😀😀', 'x…'],
  ])('makes one line of %s', async (_name, thrown, expected) => {
    await ask(declare(throwing(thrown)))
    expect(lines()).toHaveLength(1)
    expect(lines()[0]).toContain(expected)
    expect(lines()[0]).not.toMatch(/hunter2|[\p{Cc}\p{Cs}\u202e\u2028]/u)
    expect(lines()[0]?.length).toBeLessThan(700)
  })

  test('prints of a store that is away once a minute, however many ask', async () => {
    let time = 0
    const concierge = declare(answered, { limits: { store: away }, now: () => time })
    for (let round = 0; round < 5; round++) expect((await ask(concierge)).status).toBe(200)
    expect(lines()).toEqual([
      '[ahp-converse] Something failed at state: Error: connect ECONNREFUSED. Look at the stores.',
    ])
    time = 59_999
    await ask(concierge)
    expect(lines()).toHaveLength(1)
    time = 60_000
    await ask(concierge)
    expect(lines()).toHaveLength(2)
    time = 0
    await ask(concierge)
    expect(lines()).toHaveLength(3)
  })

  test('prints of credentials that cannot be checked once a minute, with the first id', async () => {
    const verify = (): never => {
      throw new Error('no keys')
    }
    const concierge = declare(answered, { verify, now: () => 0 })
    const replies: Response[] = []
    for (let round = 0; round < 3; round++) {
      const request = new Request('https://shop.example/agent/converse', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer t' },
        body: JSON.stringify({ capability: 'help', query: 'Why?' }),
      })
      replies.push(await concierge.handleRequest(request))
    }
    expect(replies.map(({ status }) => status)).toEqual([503, 503, 503])
    expect(lines()).toHaveLength(1)
    expect(lines()[0]).toContain(
      `Request ${String(replies[0]?.headers.get('x-request-id'))} failed at verify: `,
    )
  })

  test('prints what an observer is told too', async () => {
    const observe = vi.fn()
    await ask(declare(throwing(new Error('no')), { observe }))
    expect(observe).toHaveBeenCalledWith(expect.objectContaining({ type: 'fault' }))
    expect(lines()).toHaveLength(1)
  })

  test('prints nothing where a logger is told', async () => {
    const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
    await ask(declare(throwing(new Error('no')), { logger }))
    expect(logger.error).toHaveBeenCalledOnce()
    expect(lines()).toEqual([])
  })

  test('prints nothing of what it refuses', async () => {
    expect((await ask(declare(answered), '')).status).toBe(400)
    expect(lines()).toEqual([])
  })
})

test('with onError nothing is printed', async () => {
  const onError = vi.fn()
  await ask(declare(throwing(new Error('no')), { onError }))
  expect(onError).toHaveBeenCalledOnce()
  expect(lines()).toEqual([])
})

describe('a desk', () => {
  function openDesk(options: { readonly onError?: (error: unknown) => unknown } = {}): Promise<Response> {
    const desk = createDesk(declare(answered).inbox, {
      publicUrl: 'https://shop.example',
      authenticate: () => {
        throw new Error('no session store')
      },
      ...options,
    })
    return desk.handleRequest(new Request('https://shop.example/desk'))
  }

  test('without onError prints a line', async () => {
    expect((await openDesk()).status).toBe(500)
    expect(lines()).toEqual([
      '[ahp-converse] Something failed at desk: Error: no session store. Look at authenticate of the desk, and at the stores.',
    ])
  })

  test('with onError prints nothing', async () => {
    const onError = vi.fn()
    expect((await openDesk({ onError })).status).toBe(500)
    expect(onError).toHaveBeenCalledOnce()
    expect(lines()).toEqual([])
  })
})

describe('a model', () => {
  const failing = new MockLanguageModelV3({ doGenerate: () => Promise.reject(new Error('no such model')) })

  async function answer(options: Partial<AnswerWithOptions> = {}, model = failing): Promise<unknown> {
    const knowledge = await createKnowledge({ documents: SHOP })
    const answerer = answerWith(model, { knowledge, maxRetries: 0, ...options })
    return answerer(turnOf('How long does a refund take?', { capability: 'help' }))
  }

  test('that fails unseen is printed', async () => {
    expect(await answer()).toHaveProperty('answer')
    expect(lines()).toEqual([
      '[ahp-converse] Something failed at model of "help": Error: no such model. ' +
        'The answer was quoted from knowledge instead. Look at the model.',
    ])
  })

  test('that fails the turn is left to the concierge', async () => {
    await expect(answer({ onModelFailure: 'throw' })).rejects.toThrow('no such model')
    expect(lines()).toEqual([])
  })

  test('that fails is told to onError alone, and nothing but the error', async () => {
    const onError = vi.fn()
    await answer({ onError })
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.any(Error))
    expect(lines()).toEqual([])
  })

  test('is not told why a tool failed: that is printed', async () => {
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    }
    const model = new MockLanguageModelV3({
      doGenerate: [
        {
          content: [{ type: 'tool-call', toolCallId: '1', toolName: 'order', input: '{}' }],
          finishReason: { unified: 'tool-calls', raw: 'tool_use' },
          usage,
          warnings: [],
        },
        {
          content: [{ type: 'text', text: 'It failed.' }],
          finishReason: { unified: 'stop', raw: 'stop' },
          usage,
          warnings: [],
        },
      ],
    })
    const order: ToolSet[string] = tool({
      inputSchema: jsonSchema<{ order?: string }>({ type: 'object' }),
      execute: (): Promise<string> => Promise.reject(new Error('no orders')),
    })
    await answer({ tools: { order }, allowedTools: ['order'], onModelFailure: 'throw' }, model)
    expect(lines()).toEqual([
      '[ahp-converse] Something failed at tool of "order": Error: no orders. Look at execute of the tool.',
    ])
  })
})
