import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeWithCorpora } from '@internal/vectors'
import { expect, it } from 'vitest'
import { identify } from '../src/kinds/identify.js'

interface Label {
  readonly id: string
  readonly file: string
  readonly served_as: string
  readonly kind: string
}

/** How the labels of the corpus are called here. */
const KINDS: Readonly<Record<string, readonly [kind: string, version?: RegExp]>> = {
  'a2a-agent-card-0.x': ['a2a-agent-card', /^0\./],
  'a2a-agent-card-1.0': ['a2a-agent-card', /^1\.0$/],
  'openapi-document': ['openapi'],
  'other-agent-json': ['unknown-agent-json'],
  'other-ai-manifest': ['unknown-ai-manifest'],
}

describeWithCorpora('real well-known files', 'well-known', (directory) => {
  const labels = JSON.parse(readFileSync(join(directory, 'labels.json'), 'utf8')) as Label[]

  it.each(labels)('$id is $kind', ({ file, served_as, kind: label }) => {
    const text = readFileSync(join(directory, 'files', file), 'utf8')
    const found = identify({ text, url: `https://example.com${served_as}`, mediaType: 'application/json' })
    const [kind, version] = label.startsWith('other-well-known:')
      ? ['unknown-json']
      : (KINDS[label] ?? [label])
    expect(found.kind).toBe(kind)
    if (version) expect(found.version).toMatch(version)
  })
})
