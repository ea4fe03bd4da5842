import { loadDocumentVectors } from '@internal/vectors'
import { describe, expect, it } from 'vitest'
import { KINDS, SUPPORTED_VERSIONS, validateDocument } from '../src/index.js'

describe.each(SUPPORTED_VERSIONS.flatMap((version) => KINDS.map((kind) => ({ version, kind }))))(
  'vectors of $version $kind',
  ({ version, kind }) => {
    it.each(loadDocumentVectors(version, kind))('$name', (vector) => {
      const { valid, issues } = validateDocument({ version, kind, data: vector.data })
      expect(valid).toBe(vector.valid)
      if (vector.valid) return
      const named = issues.map(({ path, rule }) => ({ path, rule }))
      expect(named).toEqual(named.map(() => ({ path: vector.pointer, rule: vector.rule })))
    })
  },
)
