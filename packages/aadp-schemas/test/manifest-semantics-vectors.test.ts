import { applyPatch, loadVectors, type PatchOperation } from '@internal/vectors'
import { describe, expect, it } from 'vitest'
import { checkManifestSemantics } from '../src/index.js'

interface SemanticVector {
  readonly name: string
  readonly data?: unknown
  readonly base?: string
  readonly patch?: readonly PatchOperation[]
  readonly issues?: readonly { level: string; code: string; pointer: string; rule: string }[]
}

describe('vectors of the semantic rules of the manifest', () => {
  const vectors = loadVectors<SemanticVector[]>('manifest-semantics.json')
  const documentOf = ({ data, base, patch = [] }: SemanticVector): unknown =>
    base === undefined ? data : applyPatch(vectors.find(({ name }) => name === base)?.data, patch)

  it.each(vectors)('$name', (vector) => {
    const found = checkManifestSemantics(documentOf(vector))
    expect(found.map(({ level, code, path, rule }) => ({ level, code, pointer: path, rule }))).toEqual(
      vector.issues ?? [],
    )
  })
})
