import { describe, expect, it } from 'vitest'
import { extractRequirements } from './extract-requirements.js'

const text = `# Title

## Documents

Prose with **AADP1-DOC-001** in it.

- **AADP1-DOC-001** \`server\` MUST: Every document is JSON.

### Manifest

- **AADP1-MAN-001** \`manifest\` \`/application/name\` SHOULD: A name: short.
`

describe('extractRequirements', () => {
  it('takes id, subject, place, level, section and text of each rule', () => {
    expect(extractRequirements(text, 'text')).toEqual([
      {
        id: 'AADP1-DOC-001',
        subject: 'server',
        level: 'MUST',
        section: 'Documents',
        text: 'Every document is JSON.',
      },
      {
        id: 'AADP1-MAN-001',
        subject: 'manifest',
        place: '/application/name',
        level: 'SHOULD',
        section: 'Manifest',
        text: 'A name: short.',
      },
    ])
  })

  it.each([
    '- **AADP1-DOC-002** `server`: No level.',
    '- **AADP1-DOC-2** `server` MUST: Two digits missing.',
    '  - **AADP1-DOC-002** `server` MUST: Indented.',
    '- **AADP1-DOC-002** server MUST: No backticks.',
  ])('refuses what only looks like a rule: %s', (line) => {
    expect(() => extractRequirements(`${text}\n${line}\n`, 'text')).toThrow(/^text:13: not in the grammar/)
  })

  it('refuses an id that is used twice', () => {
    const line = '- **AADP1-DOC-001** `client` MUST: Again.'
    expect(() => extractRequirements(`${text}\n${line}\n`, 'text')).toThrow(
      'text:13: AADP1-DOC-001 is used twice',
    )
  })
})
