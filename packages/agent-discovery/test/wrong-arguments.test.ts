import { isConformanceError } from '@doorplate/conformance-kit'
import { describe, expect, it } from 'vitest'
import { lookupAgentRecords } from '../src/dns.js'
import { discover, fromResponse, isAgentDiscoveryError, readPage } from '../src/index.js'
import { formatLinkHeader, parseLinkHeader } from '../src/link.js'
import { formatLinkset, parseLinkset, parseLinksetText } from '../src/linkset.js'
import { formatLlmsTxt, parseLlmsTxt } from '../src/llms-txt.js'
import { scanHtml } from '../src/meta.js'
import { probe } from '../src/probe.js'
import { addSignalsToResponses, describeSite, withSiteSignals } from '../src/publish.js'
import { checkReadiness } from '../src/readiness.js'
import { parseRobots, robotsSignals } from '../src/robots.js'
import { parseWwwAuthenticate, resourceMetadataUrls } from '../src/www-authenticate.js'

const URL_GIVEN = 'https://site.example/'
/** Options are judged first; then a call that was aborted sends nothing. */
const STOPPED = new Error('stopped')
const PROBE_OPTIONS = {
  fetch: () => Promise.resolve(new Response('none', { status: 404 })),
  method: 'GET',
  extended: false,
  maxRequests: 2,
  maxTotalBytes: 100,
  maxDocumentBytes: 100,
  maxTextBytes: 100,
  timeoutMs: 1000,
  deadlineMs: 1000,
  concurrency: 1,
  maxRedirects: 0,
  userAgent: 'x',
  signal: AbortSignal.abort(STOPPED),
  now: () => 0,
  random: () => 0,
}
const DISCOVER_OPTIONS = {
  ...PROBE_OPTIONS,
  probe: false,
  verify: 'none',
  pageHeaders: { accept: 'text/html' },
  maxPageBytes: 100,
  pageTimeoutMs: 1000,
  maxResources: 5,
  robotsUserAgent: 'x',
}
const LINKS = [{ title: 'x', url: '/x', notes: 'y' }]
const DESCRIPTION = {
  url: URL_GIVEN,
  name: 'Site',
  summary: 'It sells.',
  resources: [
    { kind: 'ahp-manifest', url: '/a', title: 'x', mediaType: 'a/b' },
    { kind: 'llms-txt', url: '/l', title: 'x' },
    { kind: 'openapi', url: '/o', title: 'x' },
  ],
  contentSignal: { search: true },
  contentUsage: { 'train-ai': 'n' },
  notice: 'Hello',
  llmsTxt: { details: ['x'], sections: [{ name: 'x', links: LINKS }] },
}
const SIGNALS = {
  linkHeader: '',
  htmlHead: '',
  htmlNotice: '',
  robotsLines: '',
  documents: [{ path: '/x', contentType: 'text/plain', body: '' }],
}

type AnyFunction = (...given: never[]) => unknown

/** Functions of the caller's and what they take. What another function gave is no text of the caller: it is left alone. */
const CALLS: readonly (readonly [AnyFunction, ...unknown[]])[] = [
  [discover, URL_GIVEN, DISCOVER_OPTIONS],
  [probe, URL_GIVEN, PROBE_OPTIONS],
  [readPage, URL_GIVEN, { ...DISCOVER_OPTIONS, format: 'html' }],
  [
    checkReadiness,
    URL_GIVEN,
    { ...DISCOVER_OPTIONS, only: [], skip: [], failOnWarning: false, onCheck: () => undefined },
  ],
  [describeSite, DESCRIPTION],
  [withSiteSignals, () => new Response(''), SIGNALS],
  [addSignalsToResponses, SIGNALS],
  [fromResponse, URL_GIVEN, { link: ['</x>; rel="x"'] }, 'text'],
  [fromResponse, URL_GIVEN, [['link', '</x>; rel="x"']]],
  [parseLinkHeader, ['</x>; rel="x"'], { url: URL_GIVEN, maxLinks: 1, maxLength: 1 }],
  [formatLinkHeader, [{ target: '/', rels: ['x'], anchor: '/', type: 'a/b', title: 'x', hreflang: 'en' }]],
  [
    parseLinkset,
    { linkset: [{ anchor: '/', item: [{ href: '/x', hreflang: ['en'] }] }] },
    { url: URL_GIVEN, maxLinks: 1 },
  ],
  [parseLinksetText, '</x>; rel="x"', { url: URL_GIVEN, maxLinks: 1, maxLength: 1 }],
  [formatLinkset, [{ anchor: '/', links: new Map() }]],
  [parseLlmsTxt, '# x', { url: URL_GIVEN, maxLinks: 1, maxLength: 1 }],
  [formatLlmsTxt, { title: 'x', summary: 'x', details: ['x'], sections: [{ name: 'x', links: LINKS }] }],
  [scanHtml, '<p>', { url: URL_GIVEN, maxItems: 1, maxLength: 1 }],
  [parseRobots, 'x: y', { url: URL_GIVEN, maxLength: 1, maxPointers: 1 }],
  [
    (options: never) => robotsSignals(parseRobots('', { url: URL_GIVEN }), options),
    { userAgent: 'x', path: '/' },
  ],
  [parseWwwAuthenticate, ['Bearer'], { maxChallenges: 1, maxLength: 1 }],
  [(options: never) => resourceMetadataUrls([], options), { url: URL_GIVEN }],
  [
    lookupAgentRecords,
    'site.example',
    { resolver: { resolveTxt: () => Promise.resolve([]) }, agents: ['_a._mcp'], timeoutMs: 1 },
  ],
]

const NETWORK: ReadonlySet<AnyFunction> = new Set([discover, probe, checkReadiness])

const WRONG: readonly unknown[] = [
  undefined,
  null,
  NaN,
  -1,
  true,
  '',
  'nothing of the kind',
  '\ud800\u0000',
  Symbol('x'),
  [],
  new Array(1),
  [null],
  {},
  { unheard: 1 },
  Object.create(null),
  () => 1,
]

/** The value itself replaced, and copies of it with each of its members replaced, at every depth. */
function* variants(value: unknown): Generator {
  yield* WRONG
  if (Array.isArray(value)) {
    for (const [index, item] of (value as unknown[]).entries())
      for (const other of variants(item)) yield value.with(index, other)
  } else if (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype
  ) {
    for (const [name, item] of Object.entries(value))
      for (const other of variants(item)) yield { ...value, [name]: other }
  }
}

/** Without options these ask the network. */
function wouldAsk(call: AnyFunction, index: number, given: unknown): boolean {
  const isNone = given === undefined || (typeof given === 'object' && given !== null && isEmpty(given))
  return NETWORK.has(call) && index === 1 && isNone
}

function isEmpty(given: object): boolean {
  return !Array.isArray(given) && Object.keys(given).length === 0
}

async function outcome(call: AnyFunction, given: readonly unknown[]): Promise<unknown> {
  try {
    await call(...(given as never[]))
    return undefined
  } catch (error) {
    return error === STOPPED || isAgentDiscoveryError(error) || isConformanceError(error) ? undefined : error
  }
}

describe('whatever a caller gives', () => {
  it.each(CALLS.map(([call, ...given]) => ({ name: call.name || 'with a result', call, given })))(
    'is taken or refused by a typed error: $name',
    async ({ call, given }) => {
      expect(await outcome(call, given)).toBe(undefined)
      for (const [index, value] of given.entries())
        for (const other of variants(value)) {
          if (wouldAsk(call, index, other)) continue
          const error = await outcome(call, given.with(index, other))
          expect(error, `${String(index)}: ${shown(other)}`).toBe(undefined)
        }
    },
  )

  it.each([
    [discover, 'timeoutMS', 'timeoutMs'],
    [probe, 'maxRequest', 'maxRequests'],
    [readPage, 'fromat', 'format'],
    [checkReadiness, 'failOnWarnings', 'failOnWarning'],
  ] as const)('%o names the option that was meant', async (call: AnyFunction, written, meant) => {
    const refused = { code: 'invalid_option', option: written }
    const message = `There is no option ${written}. Did you mean ${meant}?`
    await expect(call(...([URL_GIVEN, { [written]: 5 }] as never[]))).rejects.toMatchObject({
      ...refused,
      message,
    })
  })

  it.each([
    [
      { ...DESCRIPTION, sumary: 'x' },
      'There is no option description.sumary. Did you mean description.summary?',
    ],
    [{ ...DESCRIPTION, contentSignal: { 'ai-trian': false } }, 'Did you mean contentSignal.ai-train?'],
    [{ ...DESCRIPTION, resources: [{ kind: 'llms-txt' }] }, 'The url of resources[0] must be a text.'],
    [
      { ...DESCRIPTION, resources: [{ kind: 'llmstxt', url: '/' }] },
      'cannot be published. Did you mean llms-txt?',
    ],
    [
      { ...DESCRIPTION, resources: [{ kind: '?', url: '/' }] },
      'cannot be published. These can: ahp-manifest, aadp-',
    ],
    [
      { ...DESCRIPTION, llmsTxt: { sections: [{ name: 'x', links: [{}] }] } },
      'llmsTxt.sections[0].links[0].title must',
    ],
  ])('describeSite says what is wrong', (description, message) => {
    expect(() => describeSite(description as never)).toThrow(message)
  })

  it('checks that are not there are told before anything is asked', async () => {
    let requests = 0
    const fetch = (): Promise<Response> => Promise.resolve(new Response(String(requests++)))
    const run = checkReadiness(URL_GIVEN, { fetch, only: ['no.such'] })
    await expect(run).rejects.toMatchObject({ code: 'unknown_check' })
    expect(requests).toBe(0)
  })
})

function shown(value: unknown): string {
  return JSON.stringify([value], (_key, member: unknown) =>
    typeof member === 'function' || typeof member === 'symbol' ? String(member) : member,
  )
}
