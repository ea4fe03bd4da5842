import { applyPatch, loadVectors, type PatchOperation } from '@internal/vectors'
import { describe, expect, it } from 'vitest'
import { checkManifestSemantics, validateManifest } from '../src/index.js'
import { semanticRules } from '../src/generated/manifest/semantic-rules.js'

interface SemanticVector {
  readonly name: string
  readonly data?: unknown
  readonly base?: string
  readonly patch?: readonly PatchOperation[]
  readonly issues: readonly { level: string; code: string; pointer: string; rule: string }[]
}

describe('vectors of the semantic rules of the manifest', () => {
  const vectors = loadVectors<SemanticVector[]>('ahp/v0.1/manifest-semantics.json')
  const documentOf = ({ data, base, patch = [] }: SemanticVector): unknown =>
    base === undefined ? data : applyPatch(vectors.find(({ name }) => name === base)?.data, patch)

  it.each(vectors)('$name', (vector) => {
    const document = documentOf(vector)
    if (vector.base === undefined) expect(validateManifest(document).issues).toEqual([])
    const found = checkManifestSemantics(document)
    expect(found.map(({ level, code, path, rule }) => ({ level, code, pointer: path, rule }))).toEqual(
      vector.issues,
    )
  })

  it('break every rule', () => {
    const broken = new Set(vectors.flatMap(({ issues }) => issues.map(({ code }) => code)))
    expect([...broken].sort()).toEqual(Object.keys(semanticRules).sort())
  })
})
