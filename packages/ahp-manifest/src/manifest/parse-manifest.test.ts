import { loadDocumentVectors } from '@internal/vectors'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AhpManifestError, isAhpManifestError } from './ahp-manifest-error.js'
import { manifestSchemaIssues } from './manifest-issues.js'
import { parseManifest } from './parse-manifest.js'
import { readTolerantly } from './read-tolerantly.js'
import { validateManifest } from './validate-manifest.js'

const TEXT = '{"ahp":"0.1","modes":["MODE2"],"content_signals":{"ai_input":true},"extra":1}'

describe('parseManifest', () => {
  it('reads text, with or without a byte order mark, and what JSON.parse made of it', () => {
    const read = parseManifest(TEXT)
    expect(read.manifest.modes).toEqual(['MODE1', 'MODE2'])
    expect(read.warnings.map(({ code, level }) => [code, level])).toContainEqual([
      'additionalProperties',
      'warning',
    ])
    expect(parseManifest(`\uFEFF${TEXT}`)).toEqual(read)
    expect(parseManifest(JSON.parse(TEXT))).toEqual(read)
  })

  it('refuses in strict mode what breaks a MUST, of schema or meaning, with every issue', () => {
    expect(() => parseManifest(TEXT, { mode: 'strict' })).toThrow(
      expect.objectContaining({
        code: 'invalid_manifest',
        issues: expect.arrayContaining([
          expect.objectContaining({ path: '/extra', level: 'error' }),
          expect.objectContaining({ code: 'modes_not_cumulative', level: 'error' }),
          expect.objectContaining({ code: 'missing_rate_limits', level: 'warning' }),
        ]) as unknown,
      }) as Error,
    )
    const good = { ahp: '0.1', modes: ['MODE1'], content_signals: { ai_input: true } }
    expect(parseManifest(good, { mode: 'strict' }).manifest).toMatchObject(good)
  })

  it('says what it got instead of JSON', () => {
    expect(() => parseManifest('<!doctype html><title>Not found')).toThrow(
      expect.objectContaining({
        code: 'not_json',
        message: expect.stringContaining('page') as string,
        cause: expect.any(SyntaxError) as unknown,
      }) as Error,
    )
    expect(() => parseManifest('{')).toThrow(expect.objectContaining({ code: 'not_json' }) as Error)
  })

  it('parses no more text than allowed', () => {
    expect(() => parseManifest(TEXT, { maxLength: TEXT.length - 1 })).toThrow(
      expect.objectContaining({ code: 'too_large' }) as Error,
    )
    expect(parseManifest(TEXT, { maxLength: TEXT.length }).manifest.ahp).toBe('0.1')
    expect(() => parseManifest(' '.repeat(1_048_577))).toThrow(
      expect.objectContaining({ code: 'too_large' }) as Error,
    )
    for (const maxLength of [0, -1, 1.5, Number.NaN])
      expect(() => parseManifest(TEXT, { maxLength })).toThrow(
        expect.objectContaining({ code: 'invalid_option' }) as Error,
      )
  })

  it('recognises an A2A card and says where to go with it', () => {
    const card = {
      name: 'Planner',
      url: 'https://a.example/a2a',
      protocolVersion: '0.3.0',
      capabilities: {},
      skills: [],
    }
    expect(() => parseManifest(card)).toThrow(/A2A agent card \(A2A 0\.3\).*A2A client.*agent-card\.json/)
  })

  it('names places and rules in its message, and never what a document holds', () => {
    const hostile = { ahp: 7, modes: ['SECRET-VALUE'], content_signals: {} }
    expect(() => parseManifest(hostile)).toThrow(expect.not.stringContaining('SECRET') as unknown)
  })

  it('guards errors across installed copies', () => {
    const foreign = Object.assign(new Error('x'), { [Symbol.for('@doorplate/ahp-manifest/error')]: true })
    expect(isAhpManifestError(foreign)).toBe(true)
    expect(isAhpManifestError(new AhpManifestError('not_json', 'x'))).toBe(true)
    expect([new Error('x'), null, 'x'].some(isAhpManifestError)).toBe(false)
  })
})

describe('reading tolerantly', () => {
  const bases = loadDocumentVectors('0.1', 'manifest', 'ahp').map(({ data }) => data)
  const documents = fc.oneof(
    fc.jsonValue(),
    fc
      .tuple(fc.constantFrom(...bases), fc.nat(), fc.jsonValue())
      .map(([base, seed, value]) => changed(base, seed, value)),
  )

  it('gives a manifest that is valid, from whatever document', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const { manifest, issues } = readTolerantly(document)
        const isUsable = validateManifest(document, { mode: 'tolerant' }).valid
        expect(manifest !== undefined).toBe(isUsable)
        expect(issues.some(({ level }) => level === 'error')).toBe(manifest === undefined)
        if (manifest === undefined) return
        const left = manifestSchemaIssues(manifest).map(({ code, path }) => `${code} ${path}`)
        const lived = ['pattern /ahp', 'required /content_signals/ai_input']
        expect(left.filter((issue) => !lived.includes(issue))).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  it('leaves what is valid as it is', () => {
    for (const { data, valid, name } of loadDocumentVectors('0.1', 'manifest', 'ahp')) {
      if (valid) expect(readTolerantly(data).manifest, name).toMatchObject(data as object)
    }
  })

  it('copes with a manifest that is wrong in many places, but not in a thousand', () => {
    const good = { name: 'a', description: '', mode: 'MODE1' }
    const read = (faults: number): ReturnType<typeof readTolerantly> =>
      readTolerantly({ ...BASE, capabilities: [...Array.from({ length: faults }, () => 7), good] })
    expect(read(999).manifest?.capabilities).toEqual([good])
    for (const faults of [1000, 100_000]) {
      const { manifest, issues } = read(faults)
      expect(manifest).toBeUndefined()
      expect(issues).toHaveLength(1000)
      expect(issues.every(({ level }) => level === 'error')).toBe(true)
    }
    const modes = Array.from({ length: 100_000 }, (_, index) => `MODE${index + 4}`)
    expect(() => parseManifest({ ...BASE, modes })).toThrow(
      expect.objectContaining({ code: 'invalid_manifest' }) as Error,
    )
  })
})

describe('the mode of reading', () => {
  it('is strict or tolerant', () => {
    const mode = 'lax' as never
    for (const read of [() => parseManifest(BASE, { mode }), () => validateManifest(BASE, { mode })])
      expect(read).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  })
})

const BASE = { ahp: '0.1', modes: ['MODE1'], content_signals: { ai_input: true } }

/** The document with one of its values replaced. */
function changed(document: unknown, seed: number, value: unknown): unknown {
  if (typeof document !== 'object' || document === null || seed % 4 === 0) return value
  const keys = Object.keys(document)
  const key = keys[seed % keys.length]
  if (key === undefined) return value
  const child = changed(document[key as keyof typeof document], Math.floor(seed / 4), value)
  if (Array.isArray(document))
    return document.map((item: unknown, index) => (String(index) === key ? child : item))
  return { ...document, [key]: child }
}
