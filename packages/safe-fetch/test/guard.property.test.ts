import { isIP } from 'node:net'

import { recordDials, startServer } from '@internal/loopback'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { BAD_PORTS } from '../src/options/bad-ports.js'
import { classifyAddress, createSafeFetch, isSafeFetchError } from '../src/index.js'
import type { SafeFetchOptions } from '../src/index.js'

/**
 * Generated URLs, redirect chains and DNS answers against the real client. Whatever happens to a call, no socket may be
 * told to dial an address that is not public: that is observed below undici, in `Socket.prototype.connect`, and judged by
 * a second, independent reading of the rules (`isForbidden`).
 */
const PRIVATE_ADDRESSES = [
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.1.1',
  '100.100.100.200',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fd00::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
]
const PUBLIC_ADDRESSES = [
  '93.184.216.34',
  '8.8.8.8',
  '1.1.1.1',
  '2606:4700::1111',
  '64:ff9b::808:808',
  '::ffff:8.8.8.8',
]

const address = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...PRIVATE_ADDRESSES) },
  { weight: 5, arbitrary: fc.constantFrom(...PUBLIC_ADDRESSES) },
  { weight: 1, arbitrary: fc.ipV4() },
  { weight: 1, arbitrary: fc.ipV6() },
)
const spelling = fc.oneof(
  address.map((text) => (text.includes(':') ? `[${text}]` : text)),
  fc.nat(0xffffffff).map(String),
  fc.nat(0xffffffff).map((value) => `0x${value.toString(16)}`),
  fc.ipV4Extended(),
  fc.constantFrom('127.1', '0', '0177.0.0.1', '127.0.0.1.', '127\u30020\u30020\u30021', '①②⑦.⓪.⓪.①'),
)
const name = fc.oneof(
  fc.constantFrom(
    'a.example',
    'b.example',
    'rebind.example',
    'localhost',
    'localhost.',
    'svc.internal',
    'router',
    'x.local',
  ),
  fc.domain(),
)
const userinfo = fc.constantFrom('', '', '', 'user@', 'a.example@', 'a.example:80@', '127.0.0.1\\@')
const port = fc.oneof(
  fc.constant(''),
  fc.constant(''),
  fc.nat(65_535).map((number) => `:${number}`),
)
const url = fc
  .tuple(
    fc.constantFrom(
      'http://',
      'http://',
      'http://',
      'http://',
      'https://',
      'HTTP://',
      'http:\\\\',
      'http:/',
      '//',
      'ftp://',
      'file://',
      'gopher://',
      ' http://',
    ),
    userinfo,
    fc.oneof(spelling, name),
    port,
    fc.constantFrom('', '/', '/x?y=//127.0.0.1/', '\\@10.0.0.1/', '#@127.0.0.1', '/%00'),
  )
  .map((parts) => parts.join(''))
const answers = fc.array(fc.array(address, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
const policy: fc.Arbitrary<SafeFetchOptions> = fc.record(
  {
    mixedAnswers: fc.constantFrom('refuse', 'filter'),
    maxRedirects: fc.nat(6),
    retry: fc.constant({ maxAttempts: 2, baseDelayMs: 0 }),
  },
  { requiredKeys: [] },
)

let server: Awaited<ReturnType<typeof startServer>>
let locations: string[] = []

beforeAll(async () => {
  server = await startServer((_request, response) => {
    const location = locations.shift()
    if (location === undefined) response.end('reached')
    else response.writeHead(302, { location: Buffer.from(location).toString('latin1') }).end()
  })
})

afterAll(() => server.close())

it('no URL, chain of redirects or DNS answer leads to a connection that the policy forbids', async () => {
  let reached = 0
  const recorder = recordDials(() => server.port)
  await fc.assert(
    fc.asyncProperty(
      url,
      fc.array(url, { maxLength: 4 }),
      answers,
      policy,
      async (start, chain, script, options) => {
        locations = [...chain]
        const before = recorder.dials.length
        let round = 0
        const safeFetch = createSafeFetch({
          ...options,
          timeoutMs: 2_000,
          lookup: (_hostname, _options, callback) => {
            const addresses = script[Math.min(round++, script.length - 1)] ?? []
            callback(
              null,
              addresses.map((text) => ({ address: text, family: isIP(text) })),
            )
          },
        })
        const outcome = await safeFetch(start).then(
          (response) => response.text(),
          (error: unknown) => error,
        )
        await safeFetch.close()
        const dialled = recorder.dials.slice(before)
        reached += dialled.length
        expect(dialled.filter((dial) => isForbidden(dial.address) || BAD_PORTS.has(dial.port))).toEqual([])
        expect(typeof outcome === 'string' || isSafeFetchError(outcome)).toBe(true)
      },
    ),
    { numRuns: 1_500 },
  )
  recorder.restore()
  expect(reached).toBeGreaterThan(100)
}, 120_000)

it('the independent reading agrees with the tables on random addresses', () => {
  fc.assert(
    fc.property(address, (text) => {
      if (classifyAddress(text).public) expect(isForbidden(text)).toBe(false)
    }),
    { numRuns: 5_000 },
  )
})

/** The addresses nobody may be sent to, written down apart from the tables under test: by numbers, not by blocks. */
function isForbidden(text: string): boolean {
  return isIP(text) === 4 ? isForbiddenV4(text.split('.').map(Number)) : isForbiddenV6(expand(text))
}

function isForbiddenV4([a = 0, b = 0, c = 0, d = 0]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return true
  if (a === 100) return b >= 64 && b <= 127
  if (a === 169) return b === 254
  if (a === 172) return b >= 16 && b <= 31
  if (a === 198) return b === 18 || b === 19 || (b === 51 && c === 100)
  if (a === 203) return b === 0 && c === 113
  if (a !== 192) return false
  if (b === 168 || (b === 88 && c === 99) || (b === 0 && c === 2)) return true
  return b === 0 && c === 0 && d !== 9 && d !== 10
}

function isForbiddenV6(groups: readonly number[]): boolean {
  const [a = 0, b = 0] = groups
  const inner = [6, 7].flatMap((index) => [(groups[index] ?? 0) >> 8, (groups[index] ?? 0) & 0xff])
  const head = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':')
  if (head === '0:0:0:0:0:ffff' || head === '64:ff9b:0:0:0:0') return isForbiddenV4(inner)
  if (a < 0x2000 || a > 0x3fff || a === 0x2002) return true
  if (a === 0x3fff) return b < 0x1000
  if (a !== 0x2001) return false
  if (b === 0xdb8) return true
  return b < 0x200 && ![1, 3, 4].includes(b) && !(b >= 0x20 && b <= 0x3f)
}

function expand(text: string): readonly number[] {
  const hex = new URL(`http://[${text}]/`).hostname.slice(1, -1)
  const [head = '', tail] = hex.split('::')
  const parse = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  if (tail === undefined) return parse(head)
  const missing = 8 - parse(head).length - parse(tail).length
  return [...parse(head), ...Array.from({ length: missing }, () => 0), ...parse(tail)]
}
