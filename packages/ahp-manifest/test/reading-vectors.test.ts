import { loadVectors } from '@internal/vectors'
import { describe, expect, it } from 'vitest'
import { parseManifest, validateManifest } from '../src/index.js'
import { parseRequest, parseResponse } from '../src/messages.js'

interface ReadingVector {
  readonly kind: 'manifest' | 'request' | 'response'
  readonly name: string
  readonly data: unknown
  readonly read?: unknown
  readonly error?: string
}

const READERS: Readonly<Record<ReadingVector['kind'], (data: unknown) => unknown>> = {
  manifest: (data) => parseManifest(data).manifest,
  request: parseRequest,
  response: (data) => parseResponse(data).response,
}

describe('vectors of reading what others send', () => {
  const vectors = loadVectors<ReadingVector[]>('ahp/v0.1/reading.json')

  it.each(vectors)('$kind: $name', ({ kind, data, read, error }) => {
    const before = JSON.stringify(data)
    if (error === undefined) expect(READERS[kind](data)).toEqual(read)
    else expect(() => READERS[kind](data)).toThrow(expect.objectContaining({ code: error }) as Error)
    expect(JSON.stringify(data)).toBe(before)
  })

  it.each(vectors.filter(({ kind }) => kind === 'manifest'))(
    'the tolerant verdict agrees with reading: $name',
    ({ data, error }) => {
      const { valid, issues } = validateManifest(data, { mode: 'tolerant' })
      const isOther = error === 'a2a_agent_card' || error === 'other_document'
      expect(valid).toBe(error === undefined)
      if (!isOther) expect(issues.every(({ rule }) => rule.startsWith('AHP01-'))).toBe(true)
    },
  )
})
