import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { parseWwwAuthenticate, resourceMetadataUrls } from '../www-authenticate.js'

const plain = (field: string | string[]): unknown[] =>
  parseWwwAuthenticate(field).map(({ scheme, token68, parameters, warnings }) => ({
    scheme,
    ...(token68 !== undefined && { token68 }),
    ...(parameters.size > 0 && { parameters: Object.fromEntries(parameters) }),
    ...(warnings.length > 0 && { warnings }),
  }))

describe('parseWwwAuthenticate', () => {
  it.each([
    [
      'Basic realm="a, b", Bearer realm=x, resource_metadata="https://m.example/x"',
      [
        { scheme: 'basic', parameters: { realm: 'a, b' } },
        { scheme: 'bearer', parameters: { realm: 'x', resource_metadata: 'https://m.example/x' } },
      ],
    ],
    ['Negotiate abc123==, Bearer', [{ scheme: 'negotiate', token68: 'abc123==' }, { scheme: 'bearer' }]],
    ['Bearer realm = "x" ,  scope ="y"', [{ scheme: 'bearer', parameters: { realm: 'x', scope: 'y' } }]],
    [
      'Bearer realm="a", realm="b"',
      [{ scheme: 'bearer', parameters: { realm: 'a' }, warnings: ['repeated-parameter'] }],
    ],
    [
      'Bearer realm="a\\"b',
      [{ scheme: 'bearer', parameters: { realm: 'a"b' }, warnings: ['unterminated-quote'] }],
    ],
    [',, ,Bearer a=1,,b=2,', [{ scheme: 'bearer', parameters: { a: '1', b: '2' } }]],
    ['BEARER Realm="x"', [{ scheme: 'bearer', parameters: { realm: 'x' } }]],
    [
      'Bearer error="a" resource_metadata="/m" scope=x y, realm=z',
      [
        {
          scheme: 'bearer',
          parameters: { error: 'a', resource_metadata: '/m', scope: 'x y', realm: 'z' },
          warnings: ['missing-comma'],
        },
      ],
    ],
    ['realm="orphan"', []],
    ['', []],
  ])('reads %s', (field, expected) => {
    expect(plain(field)).toEqual(expected)
  })

  it('says each warning once', () => {
    expect(plain('Bearer a=1 a=2 a=3, a=4 a="5')).toEqual([
      {
        scheme: 'bearer',
        parameters: { a: '1' },
        warnings: ['missing-comma', 'repeated-parameter', 'unterminated-quote'],
      },
    ])
  })

  it.each(['a=b ', 'a="b" ', 'a=b,', '= ', 'a ', '"\\'])('is linear in a field full of %j', (piece) => {
    const exec = vi.spyOn(RegExp.prototype, 'exec')
    const length = 4096
    try {
      parseWwwAuthenticate(`Bearer ${piece.repeat(length)}`, { maxLength: length })
      const matched = exec.mock.results.map(({ value }) => (value as RegExpExecArray | null)?.[0].length ?? 0)
      expect(matched.reduce((sum, next) => sum + next, 0)).toBeLessThan(4 * length)
    } finally {
      exec.mockRestore()
    }
  })

  it('reads several field lines', () => {
    expect(plain(['Basic realm="x"', 'Bearer'])).toEqual(plain('Basic realm="x", Bearer'))
  })

  it('keeps its limits and never throws', () => {
    expect(parseWwwAuthenticate('a,'.repeat(100))).toHaveLength(32)
    expect(parseWwwAuthenticate('abcd, efgh', { maxLength: 4 })).toHaveLength(1)
    expect(() => parseWwwAuthenticate('', { maxChallenges: -1 })).toThrow(
      expect.objectContaining({ option: 'maxChallenges' }),
    )
    const piece = fc.constantFrom('Bearer', ' ', ',', '=', '"', '\\', 'a', 'realm', '==')
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        for (const { scheme } of parseWwwAuthenticate(pieces.join(''))) expect(scheme).not.toBe('')
      }),
    )
  })
})

describe('resourceMetadataUrls', () => {
  it('gives those of every scheme and says which are elsewhere', () => {
    const challenges = parseWwwAuthenticate(
      'Basic realm="x", Bearer resource_metadata="/.well-known/oauth-protected-resource/mcp", DPoP resource_metadata="https://other.example/x", Bearer resource_metadata="javascript:x"',
    )
    expect(resourceMetadataUrls(challenges, { url: 'https://example.com/mcp' })).toEqual([
      {
        url: 'https://example.com/.well-known/oauth-protected-resource/mcp',
        crossOrigin: false,
        scheme: 'bearer',
      },
      { url: 'https://other.example/x', crossOrigin: true, scheme: 'dpop' },
    ])
  })

  it('takes an empty address for none', () => {
    const challenges = parseWwwAuthenticate('Bearer resource_metadata=""')
    expect(resourceMetadataUrls(challenges, { url: 'https://example.com/mcp' })).toEqual([])
  })
})
