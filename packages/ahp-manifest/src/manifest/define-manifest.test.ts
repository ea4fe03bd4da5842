import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Manifest } from '../generated/manifest/manifest.js'
import { isAhpManifestError } from './ahp-manifest-error.js'
import { checkManifestSemantics } from './check-manifest-semantics.js'
import { defineManifest, type ActingCapability, type ManifestInput } from './define-manifest.js'
import { validateManifest } from './validate-manifest.js'

const SIGNALS = { ai_train: false, ai_input: true, search: true, attribution_required: true }
const SEARCH = { name: 'search', description: 'Finds reviews', mode: 'MODE2' } as const
const ORDER: ActingCapability = {
  name: 'order',
  description: 'Orders a book',
  mode: 'MODE3',
  action_type: 'async',
  input_schema: { type: 'object' },
  output_schema: { type: 'object' },
}

describe('defineManifest', () => {
  it('makes a static site of a name and its signals', () => {
    expect(defineManifest({ name: 'Shelf', content_signals: SIGNALS })).toEqual({
      ahp: '0.1',
      name: 'Shelf',
      modes: ['MODE1'],
      endpoints: {},
      authentication: 'none',
      content_signals: SIGNALS,
      async: { supported: false },
    })
  })

  it('fills in what follows from the rest', () => {
    const manifest = defineManifest(
      {
        name: 'Shelf',
        endpoints: { content: '/llms.txt' },
        capabilities: [SEARCH, ORDER],
        authentication: 'bearer',
        rate_limits: { unauthenticated: { requests: '30/minute' } },
        content_signals: SIGNALS,
        async: { max_eta_seconds: 60 },
        links: { about: 'https://shelf.example/about' },
        integrations: {
          mcp: { url: '/mcp', version: '2025-06-18' },
          openapi: { url: 'https://api.shelf.example/o' },
        },
      },
      { baseUrl: 'https://shelf.example' },
    )
    expect(manifest).toMatchObject({
      modes: ['MODE1', 'MODE2', 'MODE3'],
      endpoints: { converse: '/agent/converse', content: '/llms.txt' },
      rate_limit: '30/minute',
      async: { supported: true, max_eta_seconds: 60 },
      links: {
        about: 'https://shelf.example/about',
        mcp: 'https://shelf.example/mcp',
        openapi: 'https://api.shelf.example/o',
      },
      integrations: { mcp: { url: '/mcp', version: '2025-06-18' } },
    })
    expect(validateManifest(manifest)).toEqual({ valid: true, issues: [] })
    expect(checkManifestSemantics(manifest)).toEqual([])
  })

  it('is frozen through and through, and leaves its input alone', () => {
    const input: ManifestInput = {
      name: 'Shelf',
      capabilities: [{ ...SEARCH }],
      content_signals: { ...SIGNALS },
    }
    const manifest = defineManifest(input)
    expect(Object.isFrozen(manifest.capabilities?.[0])).toBe(true)
    expect(Object.isFrozen(input.content_signals)).toBe(false)
  })

  it('leaves out with schema01Strict what the published schema refuses', () => {
    const input = {
      name: 'Shelf',
      capabilities: [{ ...SEARCH, auth_required: true }],
      content_signals: SIGNALS,
      integrations: { mcp: { url: '/mcp' } },
    }
    const manifest = defineManifest(input, { baseUrl: 'https://shelf.example', schema01Strict: true })
    expect(manifest.integrations).toBeUndefined()
    expect(manifest.links).toEqual({ mcp: 'https://shelf.example/mcp' })
    expect(manifest.capabilities?.[0]).toEqual(SEARCH)
    expect(defineManifest(input).capabilities?.[0]).toMatchObject({ auth_required: true })
  })

  it.each<[string, Partial<ManifestInput>, readonly string[]]>([
    ['actions without authentication', { capabilities: [SEARCH, ORDER] }, ['unauthenticated_action']],
    ['only actions', { capabilities: [ORDER], authentication: 'bearer' }, ['mode_without_capability']],
    ['a name twice', { capabilities: [SEARCH, SEARCH] }, ['duplicate_capability']],
    [
      'async that is switched off',
      { capabilities: [SEARCH, ORDER], authentication: 'api_key', async: { supported: false } },
      ['async_not_supported'],
    ],
    [
      'a missing action type',
      {
        capabilities: [SEARCH, { ...ORDER, action_type: undefined } as unknown as ActingCapability],
        authentication: 'bearer',
      },
      ['missing_action_type'],
    ],
    [
      'a missing schema',
      {
        capabilities: [SEARCH, { ...ORDER, input_schema: undefined } as unknown as ActingCapability],
        authentication: 'bearer',
      },
      ['missing_capability_schema'],
    ],
    ['missing signals', { content_signals: undefined } as unknown as Partial<ManifestInput>, ['required']],
    ...Object.keys(SIGNALS).map((name): [string, Partial<ManifestInput>, readonly string[]] => [
      `no ${name} (C6)`,
      { content_signals: { ...SIGNALS, [name]: undefined } },
      [name === 'ai_input' ? 'required' : 'missing_content_signal'],
    ]),
    ['a name that is too long', { name: 'x'.repeat(129) }, ['maxLength']],
    [
      'an endpoint that leads elsewhere',
      { endpoints: { content: '//evil.example' } },
      ['endpoint_not_resolvable'],
    ],
    [
      'several faults',
      { name: 'x'.repeat(129), endpoints: { content: 'a' } },
      ['maxLength', 'endpoint_not_resolvable'],
    ],
  ])('refuses %s, and says all that is wrong', (_, change, codes) => {
    const error = caught(() => defineManifest({ name: 'Shelf', content_signals: SIGNALS, ...change }))
    expect(error).toMatchObject({ name: 'AhpManifestError', code: 'invalid_manifest' })
    expect(
      isAhpManifestError(error) &&
        error.issues.filter(({ level }) => level === 'error').map(({ code }) => code),
    ).toEqual(codes)
  })

  it('names each member that there is not, and the one that was meant', () => {
    const input = {
      name: 'Shelf',
      descripton: 'x',
      rate_limit: '1/minute',
      wholly: 1,
      content_signals: SIGNALS,
    }
    expect(issuesOf(input)).toEqual([
      '/rate_limit derived_member: This member follows from the rest; leave it out.',
      '/descripton additionalProperties: This member is not defined here. Did you mean description?',
      '/wholly additionalProperties: This member is not defined here.',
    ])
    const inside = { ...SIGNALS, serch: true }
    expect(issuesOf({ content_signals: inside, capabilities: [{ ...SEARCH, mod: 'MODE2' }] })).toEqual([
      '/capabilities/0/mod additionalProperties: This member is not defined here. Did you mean mode?',
      '/content_signals/serch additionalProperties: This member is not defined here. Did you mean search?',
    ])
  })

  it.each<[object, string]>([
    [{ capabilities: { help: SEARCH } }, '/capabilities type: Must be a list.'],
    [{ capabilities: [null] }, '/capabilities/0 type: Must be of type object.'],
    [{ integrations: null }, '/integrations type: Must be of type object.'],
    [{ integrations: { mcp: null } }, '/integrations/mcp type: Must be of type object.'],
    [{ endpoints: 'x' }, '/endpoints type: Must be of type object.'],
    [{ rate_limits: null }, '/rate_limits type: Must be of type object.'],
    [{ links: 'x' }, '/links type: Must be of type object.'],
    [{ async: true }, '/async type: Must be of type object.'],
  ])('says of %j what it must be', (part, issue) => {
    expect(issuesOf({ content_signals: SIGNALS, ...part })).toEqual([issue])
  })

  it('tells a bad rate once, with one that is good', () => {
    const rateLimits = { unauthenticated: { requests: 'two a second', token_budget: 'few' } }
    expect(issuesOf({ content_signals: SIGNALS, rate_limits: rateLimits })).toEqual([
      '/rate_limits/unauthenticated/requests pattern: Must be a whole number per second, minute, hour or day, such as 120/minute.',
      '/rate_limits/unauthenticated/token_budget pattern: Must be a whole number per session, such as 20000/session.',
    ])
  })

  it('refuses what JSON cannot hold', () => {
    const cycle: Record<string, unknown> = {}
    cycle['input_schema'] = cycle
    for (const part of [{ name: 1n }, { capabilities: [{ ...SEARCH, ...cycle }] }])
      expect(caught(() => defineManifest({ content_signals: SIGNALS, ...part } as never))).toMatchObject({
        code: 'invalid_manifest',
        message: 'Not a valid AHP manifest: JSON cannot hold it.',
      })
  })

  it.each(['shelf.example', 'ftp://shelf.example', 'https://'])('refuses the base URL %s', (baseUrl) => {
    expect(caught(() => defineManifest({ name: 'S', content_signals: SIGNALS }, { baseUrl }))).toMatchObject({
      code: 'invalid_option',
    })
  })

  it.each([undefined, null, [], 'Shelf', 1])('refuses %j for a manifest', (input) => {
    expect(caught(() => defineManifest(input as never))).toMatchObject({ code: 'invalid_manifest' })
  })

  it('asks by its types for what must be said', () => {
    expectTypeOf(defineManifest).returns.toEqualTypeOf<Readonly<Manifest>>()
    expectTypeOf<ManifestInput>()
      .toHaveProperty('content_signals')
      .toEqualTypeOf<Readonly<Required<Manifest['content_signals']>>>()
    expectTypeOf({ ...SEARCH, mode: 'MODE3' as const }).not.toExtend<
      NonNullable<ManifestInput['capabilities']>[number]
    >()
    expectTypeOf<ManifestInput['authentication']>().toEqualTypeOf<'none' | 'bearer' | 'api_key' | undefined>()
  })
})

/** What is wrong with an input, a line for each. */
function issuesOf(input: object): readonly string[] {
  const error = caught(() => defineManifest(input as never))
  if (!isAhpManifestError(error)) throw error
  return error.issues
    .filter(({ level }) => level === 'error')
    .map(({ path, code, message }) => `${path} ${code}: ${message}`)
}

function caught(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
