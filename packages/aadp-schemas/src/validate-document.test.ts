import { describe, expect, it } from 'vitest'
import { isAadpSchemasError, UnknownKindError, UnsupportedAadpVersionError } from './errors.js'
import { validateDocument, type ValidationIssue } from './validate-document.js'
import { KINDS, SUPPORTED_VERSIONS, type AadpVersion, type Kind } from './versions.js'

const manifest = {
  aadp_version: '1.0',
  application: {
    name: 'Shop',
    description: 'Sells things.',
    publisher: { name: 'Us', url: 'https://shop.test/' },
  },
  discovery: { sitemap_index: 'https://shop.test/index.json' },
  policies: { robots: 'https://shop.test/robots.txt', terms: 'https://shop.test/terms' },
}

function issuesOf(kind: Kind, data: unknown, version: AadpVersion = '1.0'): readonly ValidationIssue[] {
  return validateDocument({ version, kind, data }).issues
}

describe('validateDocument', () => {
  it('accepts a document that follows its schema', () => {
    expect(validateDocument({ version: '1.0', kind: 'manifest', data: manifest })).toEqual({
      valid: true,
      issues: [],
    })
  })

  it.each(SUPPORTED_VERSIONS.flatMap((version) => KINDS.map((kind) => ({ version, kind }))))(
    'gives issues, never an exception, for what is no document at all: $version $kind',
    ({ version, kind }) => {
      for (const data of [
        undefined,
        null,
        0,
        NaN,
        'text',
        [],
        [[]],
        {},
        1n,
        Symbol('s'),
        () => 0,
        new Date(),
        Object.create(null),
      ]) {
        const { valid, issues } = validateDocument({ version, kind, data })
        expect(valid).toBe(false)
        expect(issues.length).toBeGreaterThan(0)
        for (const issue of issues) expect(issue.rule).toMatch(/^AADP\d+-[A-Z]+-\d{3}$/)
      }
    },
  )

  it.each([
    [[]],
    [['1.0', 'manifest', manifest]],
    [[null]],
    [[manifest]],
    [[{ version: '1.0', kind: 'manifest', document: manifest }]],
  ])('says what it takes when called with %j', (args) => {
    const call = validateDocument as (...args: readonly unknown[]) => unknown
    expect(() => call(...args)).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        message: 'validateDocument takes one object: { version, kind, data }',
      }) as Error,
    )
  })

  it('says nothing of what the shape does not show', () => {
    const checksum = `sha256:${'0'.repeat(64)}`
    const entity = { aadp_version: '1.0', id: 'film:dune', type: 'book', checksum, data: {} }
    expect(issuesOf('entity', { ...entity, updated_at: '2026-02-20T17:30:00Z' })).toEqual([])
  })

  it('names the missing member itself', () => {
    const { discovery: _, ...rest } = manifest
    expect(issuesOf('manifest', rest)).toMatchObject([{ path: '/discovery', keyword: 'required' }])
  })

  it('names the member that does not belong there, with its JSON Pointer escaped', () => {
    expect(issuesOf('manifest', { ...manifest, 'a/b~c': 1 })).toMatchObject([
      { path: '/a~1b~0c', keyword: 'additionalProperties' },
    ])
  })

  it('sees a hostile own member named __proto__', () => {
    const data: unknown = JSON.parse(`{"__proto__": {"polluted": true}, ${JSON.stringify(manifest).slice(1)}`)
    expect(issuesOf('manifest', data)).toMatchObject([{ path: '/__proto__' }])
  })

  it.each(['a', '__proto__', 'constructor', 'toString'])('sees that the item %s stands twice', (name) => {
    const data = {
      aadp_version: '0.1',
      default_locale: 'en',
      available_locales: ['en'],
      sitemap_index: 'https://shop.test/index.json',
      capabilities: [name, 'other', name],
    }
    expect(issuesOf('manifest', data, '0.1')).toMatchObject([
      { path: '/capabilities', keyword: 'uniqueItems' },
    ])
    expect(issuesOf('manifest', { ...data, capabilities: [name] }, '0.1')).toEqual([])
  })

  it('does not take inherited members for the document', () => {
    expect(issuesOf('manifest', Object.create(manifest)).map(({ path }) => path)).toContain('/application')
  })

  it('speaks of the security scheme that the document names, not of all alternatives', () => {
    const security_schemes = { key: { type: 'api_key', in: 'cookie', name: '' }, login: { type: 'oauth2' } }
    expect(issuesOf('manifest', { ...manifest, security_schemes })).toMatchObject([
      { path: '/security_schemes/key/in', keyword: 'enum' },
      { path: '/security_schemes/key/name', keyword: 'minLength' },
      { path: '/security_schemes/login/authorization_url', keyword: 'required' },
    ])
  })

  it('says so once when a security scheme has no known type', () => {
    const security_schemes = { a: { type: 'magic' } }
    expect(issuesOf('manifest', { ...manifest, security_schemes })).toMatchObject([
      { path: '/security_schemes/a', keyword: 'oneOf' },
    ])
  })

  it('says once that an interface needs an endpoint or documentation, and what else is wrong with it', () => {
    const interfaces = [{ id: 'api', type: 'rest', extra: 1 }]
    expect(issuesOf('manifest', { ...manifest, interfaces })).toMatchObject([
      { path: '/interfaces/0', keyword: 'anyOf' },
      { path: '/interfaces/0/extra', keyword: 'additionalProperties' },
    ])
  })

  it('names the security scheme whose name is no token', () => {
    const security_schemes = { Key: { type: 'none' } }
    expect(issuesOf('manifest', { ...manifest, security_schemes })).toMatchObject([
      { path: '/security_schemes/Key', keyword: 'propertyNames' },
    ])
  })

  it('reports tens of thousands of faults without repeating work for each', () => {
    const faults = 20_000
    const security_schemes = Object.fromEntries(
      Array.from({ length: faults }, (_, n) => [`s${n}`, { type: 'oauth2' }]),
    )
    expect(issuesOf('manifest', { ...manifest, security_schemes })).toHaveLength(faults)
  })

  it('refuses an unknown version and never falls back to another', () => {
    for (const version of ['2.0', '1', '', 'constructor', '__proto__', undefined, 1, null, ['1.0']]) {
      const call = (): unknown =>
        validateDocument({ version: version as AadpVersion, kind: 'manifest', data: manifest })
      expect(call).toThrow(UnsupportedAadpVersionError)
      expect(call).toThrow(expect.objectContaining({ code: 'unsupported_version' }))
    }
  })

  it('refuses an unknown kind', () => {
    for (const kind of ['constructor', 'Manifest', undefined, {}, ['manifest']]) {
      expect(() => validateDocument({ version: '1.0', kind: kind as Kind, data: {} })).toThrow(
        UnknownKindError,
      )
    }
  })
})

describe('errors', () => {
  it('quote only a short piece of a hostile version', () => {
    const error = new UnsupportedAadpVersionError('9'.repeat(1_000_000), SUPPORTED_VERSIONS)
    expect(error.message.length).toBeLessThan(200)
  })

  it('are recognised by a guard that does not depend on the class', () => {
    expect(isAadpSchemasError(new UnknownKindError('x', KINDS))).toBe(true)
    expect(isAadpSchemasError(new Error('x'))).toBe(false)
    expect(isAadpSchemasError(null)).toBe(false)
  })
})
