import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyPatch, type PatchOperation } from './apply-patch.js'
import { projectRoot } from './directories.js'
import { loadRequirements } from './load-requirements.js'
import { loadVectors } from './load-vectors.js'

const specifications = ['aadp/v0.1', 'aadp/v1.0', 'ahp/v0.1']
const rules = new Map(specifications.flatMap(loadRequirements).map((rule) => [rule.id, rule]))

describe('the specifications', () => {
  it.each(specifications)(
    '%s numbers each rule once, and the list of rules is up to date',
    (specification) => {
      const text = readFileSync(join(projectRoot, 'spec', `${specification}.md`), 'utf8')
      const ids = [...text.matchAll(/^- \*\*([A-Z0-9]+-[A-Z]+-\d{3})\*\*/gm)].map(([, id]) => id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(loadRequirements(specification).map(({ id }) => id)).toEqual(ids)
    },
  )

  it.each(specifications)('%s gives each place and code of a subject to one rule', (specification) => {
    const places = loadRequirements(specification).flatMap(({ subject, place }) =>
      place === undefined ? [] : [`${subject} ${place}`],
    )
    expect(new Set(places).size).toBe(places.length)
  })
})

describe('the vectors', () => {
  const directory = join(projectRoot, 'spec/vectors')
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.json'),
  )

  it.each(files)('%s names only rules that exist', (file) => {
    const text = readFileSync(join(directory, file), 'utf8')
    const named = [...text.matchAll(/"rule": "([^"]+)"/g)].map(([, id]) => id!)
    expect(named.filter((id) => !rules.has(id))).toEqual([])
  })
})

interface SemanticVector {
  readonly name: string
  readonly data?: unknown
  readonly base?: string
  readonly patch?: readonly PatchOperation[]
  readonly issues: readonly { level: string; code: string; pointer: string; rule: string }[]
}

describe('manifest-semantics.json', () => {
  const vectors = loadVectors<SemanticVector[]>('manifest-semantics.json')
  const bases = new Map(
    vectors.filter(({ patch }) => patch === undefined).map((vector) => [vector.name, vector]),
  )

  it('has whole documents without issues, and single changes of them', () => {
    for (const { name, base, patch, issues } of vectors) {
      if (patch === undefined) expect(issues, name).toEqual([])
      else {
        expect(patch, name).toHaveLength(1)
        expect(applyPatch(bases.get(base!)!.data, patch), name).not.toEqual(bases.get(base!)!.data)
      }
    }
  })

  it('gives every issue the rule of its code, and the level that the rule has', () => {
    for (const { level, code, rule } of vectors.flatMap(({ issues }) => issues)) {
      expect(rules.get(rule), code).toMatchObject({
        subject: 'manifest',
        place: code.split(':')[0],
        level: level === 'error' ? 'MUST' : 'SHOULD',
      })
    }
  })

  it('has an issue for every code but those of size', () => {
    const codes = loadRequirements('aadp/v1.0').flatMap(({ subject, place }) =>
      subject === 'manifest' && /^[a-z_]+$/.test(place ?? '') ? [place!] : [],
    )
    const found = new Set(vectors.flatMap(({ issues }) => issues.map(({ code }) => code.split(':')[0])))
    expect(codes.filter((code) => !found.has(code))).toEqual([
      'manifest_over_maximum_size',
      'manifest_over_recommended_size',
    ])
  })
})

interface ChecksumVector {
  readonly name: string
  readonly value: string
  readonly canonical: string
  readonly checksum: string
}

describe('checksums.json', () => {
  it.each(loadVectors<ChecksumVector[]>('checksums.json'))('$name', ({ value, canonical, checksum }) => {
    const withoutNegativeZero: unknown = JSON.parse(JSON.stringify(JSON.parse(value)))
    expect(withoutNegativeZero).toEqual(JSON.parse(canonical))
    expect(`sha256:${createHash('sha256').update(canonical).digest('hex')}`).toBe(checksum)
  })
})

describe('the grammars of the schemas', () => {
  const entity = JSON.parse(
    readFileSync(join(projectRoot, 'schemas/aadp/v1.0/entity.schema.json'), 'utf8'),
  ) as { properties: { id: { pattern: string } }; patternProperties: Record<string, unknown> }
  const entityId = new RegExp(entity.properties.id.pattern, 'u')
  const extensionKey = new RegExp(Object.keys(entity.patternProperties)[0]!, 'u')

  it('agree with ids.json', () => {
    const vectors = loadVectors<{ id: string; valid: boolean }[]>('ids.json')
    expect(vectors.filter(({ id, valid }) => entityId.test(id) !== valid)).toEqual([])
  })

  it('agree with extension-keys.json', () => {
    const vectors = loadVectors<{ key: string; valid: boolean }[]>('extension-keys.json')
    expect(vectors.filter(({ key, valid }) => extensionKey.test(key) !== valid)).toEqual([])
  })
})
