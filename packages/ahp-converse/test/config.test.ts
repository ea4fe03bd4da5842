import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Answerer, Outcome } from '../src/index.js'
import { toNodeListener } from '../src/node.js'
import {
  type CapabilityConfig,
  type ConciergeConfig,
  defineConcierge,
  type VerifyCredential,
} from '../src/server.js'

const help = { description: 'Helps.', mode: 'MODE2', answer: () => ({ answer: 'Yes.' }) } as const
const GOOD: ConciergeConfig = {
  name: 'Shop',
  publicUrl: 'https://shop.test',
  contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
  capabilities: { help },
}

/** What is refused when these members are other than they may be. */
function refused(overrides: object): unknown {
  try {
    defineConcierge({ ...GOOD, ...overrides })
    return undefined
  } catch (error) {
    const { code, option } = error as { readonly code: string; readonly option?: string }
    return option ?? code
  }
}

describe('a declaration', () => {
  it('with an option that there is not is told which there are', () => {
    const misspelt = { ...GOOD, publicURL: 'https://shop.test' }
    expect(() => defineConcierge(misspelt)).toThrow(/^publicURL is not an option; .*\bpublicUrl\b/)
  })

  it('that is none has no listener', () => {
    expect(() => toNodeListener(Promise.resolve() as never)).toThrow(/^concierge must be/)
  })

  it('needs no more than this', () => {
    expect(refused({})).toBeUndefined()
  })

  it.each([
    ['an option that there is not', { cors: true }, 'cors'],
    ['no URL', { publicUrl: 'shop.test' }, 'publicUrl'],
    ['a URL with a path', { publicUrl: 'https://shop.test/a' }, 'publicUrl'],
    ['a URL with a password', { publicUrl: 'https://a:b@shop.test' }, 'publicUrl'],
    ['a URL of another scheme', { publicUrl: 'javascript:alert(1)' }, 'publicUrl'],
    ['no capability', { capabilities: {} }, 'capabilities'],
    ['a list of capabilities', { capabilities: [help] }, 'capabilities'],
    ['NaN bytes', { maxRequestBytes: Number.NaN }, 'maxRequestBytes'],
    ['no byte', { maxRequestBytes: 0 }, 'maxRequestBytes'],
    ['half a token', { maxAnswerTokens: 0.5 }, 'maxAnswerTokens'],
    ['more tokens than can be asked for', { maxAnswerTokens: 32_769 }, 'maxAnswerTokens'],
    ['a delay that timers do not take', { answerTimeoutMs: 2 ** 31 }, 'answerTimeoutMs'],
    ['no answers at once', { maxConcurrentAnswers: 0 }, 'maxConcurrentAnswers'],
    ['a negative age', { maxAgeSeconds: -1 }, 'maxAgeSeconds'],
    ['a verifier that is no function', { verify: true }, 'verify'],
    ['a scheme that is not defined', { authentication: 'signed_request' }, 'authentication'],
    ['an origin with a path', { allowOrigins: ['https://app.test/a'] }, 'allowOrigins[0]'],
    ['one path twice', { paths: { converse: '/a', content: '/a' } }, 'paths.content'],
    ['the path of the manifest', { paths: { converse: '/.well-known/agent.json' } }, 'paths.converse'],
    ['a path on another origin', { paths: { converse: '//evil.example/a' } }, 'paths.converse'],
    ['a limit that is none', { limits: { unauthenticated: { ask: 'many' } } }, 'limits.unauthenticated.ask'],
    ['a proxy that is none', { trustedProxies: ['proxy'] }, 'trustedProxies[0]'],
    ['a name that is too long', { name: 'x'.repeat(129) }, 'invalid_manifest'],
    ['no signals', { contentSignals: undefined }, 'contentSignals'],
    ['a signal that is missing', { contentSignals: { ai_train: false } }, 'contentSignals.ai_input'],
    ['a signal that there is not', { contentSignals: { aiTrain: false } }, 'contentSignals.aiTrain'],
    ['knowledge that is not there yet', { knowledge: Promise.resolve() }, 'knowledge'],
    ['a link that is none', { links: { docs: '/docs' } }, 'invalid_manifest'],
  ])('is refused for %s', (_, overrides, option) => {
    expect(refused(overrides)).toBe(option)
  })

  it.each([
    ['a name that is none', { 'Help me': help }, 'capabilities.Help me'],
    ['an option that there is not', { help: { ...help, modes: [] } }, 'capabilities.help.modes'],
    ['a mode that there is not', { help: { ...help, mode: 'MODE4' } }, 'capabilities.help.mode'],
    [
      'a long description',
      { help: { ...help, description: 'x'.repeat(257) } },
      'capabilities.help.description',
    ],
    ['no answer at all', { help: { description: '', mode: 'MODE2' } }, 'capabilities.help.answer'],
    ['no types', { help: { ...help, responseTypes: [] } }, 'capabilities.help.responseTypes'],
    ['a type twice', { help: { ...help, responseTypes: ['a/b', 'a/b'] } }, 'capabilities.help.responseTypes'],
    ['scopes for strangers', { help: { ...help, scopes: ['a'], auth: 'none' } }, 'capabilities.help.auth'],
    ['credentials that nobody checks', { help: { ...help, auth: 'required' } }, 'verify'],
    ['a cache that is neither', { help: { ...help, cache: 'yes' } }, 'capabilities.help.cache'],
  ])('is refused for a capability with %s', (_, capabilities, option) => {
    expect(refused({ capabilities })).toBe(option)
  })

  it('is read once: what is changed later changes nothing', async () => {
    const capabilities: Record<string, CapabilityConfig> = { help: { ...help } }
    const concierge = defineConcierge({ ...GOOD, capabilities })
    capabilities['more'] = help
    expect(concierge.manifest.capabilities).toHaveLength(1)
    expect(Object.isFrozen(concierge.manifest)).toBe(true)
    const request = { capability: 'more', query: 'x' }
    expect((await concierge.converse({ request, caller: { address: '192.0.2.1' } })).status).toBe(400)
  })
})

describe('types', () => {
  it('let an answer be given at once or later, and a credential be checked either way', () => {
    expectTypeOf<() => { answer: string }>().toExtend<Answerer>()
    expectTypeOf<() => Promise<{ clarification: { question: string } }>>().toExtend<Answerer>()
    expectTypeOf<() => { text: string }>().not.toExtend<Answerer>()
    expectTypeOf<{ answer: 'x'; sources: [{ url: '/a'; relevance: 'near' }] }>().not.toExtend<Outcome>()
    expectTypeOf<() => null>().toExtend<VerifyCredential>()
    expectTypeOf<() => Promise<{ id: string }>>().toExtend<VerifyCredential>()
  })

  it('ask for every signal and for a mode', () => {
    expectTypeOf<{ ai_input: true }>().not.toExtend<ConciergeConfig['contentSignals']>()
    expectTypeOf<{ description: string }>().not.toExtend<CapabilityConfig>()
  })
})
