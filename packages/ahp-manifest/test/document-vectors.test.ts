import { loadDocumentVectors } from '@internal/vectors'
import { describe, expect, it } from 'vitest'
import { validateManifest } from '../src/index.js'
import { MESSAGE_KINDS } from '../src/kinds.js'
import { validatePayload, validateRequest, validateResponse } from '../src/messages.js'
import type { ValidationResult } from '../src/validation-issue.js'

const PAYLOAD_TYPES: Readonly<Record<string, string>> = {
  'payload-data': 'application/data',
  'payload-feed': 'application/feed',
  'payload-video': 'media/video',
  'payload-audio': 'media/audio',
  'payload-image': 'media/image',
  'payload-download': 'file/download',
  'payload-action-result': 'application/action-result',
}

describe.each(['manifest', ...MESSAGE_KINDS])('vectors of %s', (kind) => {
  it.each(loadDocumentVectors('0.1', kind, 'ahp'))('$name', (vector) => {
    const { valid, issues } = validate(kind, vector.data)
    expect(valid).toBe(vector.valid)
    if (vector.valid) return
    const named = issues.map(({ path, rule }) => ({ path, rule }))
    expect(named).toEqual(named.map(() => ({ path: vector.pointer, rule: vector.rule })))
  })
})

function validate(kind: string, data: unknown): ValidationResult {
  if (kind === 'manifest') return validateManifest(data)
  if (kind === 'request') return validateRequest(data)
  if (kind === 'response') return validateResponse(data)
  return validatePayload(PAYLOAD_TYPES[kind] ?? '', data)
}
