import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packages, projectRoot } from '../scripts/project.js'
import { proseWords, tooLongToRead } from '../scripts/reading-time.js'

const TWO_MINUTES = { maxMinutes: 2 }

it.each(packages)('the README of $folder is read in two minutes', ({ folder }) => {
  const readme = readFileSync(join(projectRoot, 'packages', folder, 'README.md'), 'utf8')
  expect(proseWords(readme)).toBeGreaterThan(50)
  expect(tooLongToRead(readme, TWO_MINUTES)).toBeUndefined()
})

describe('a text', () => {
  it('is too long from the first word that takes more than its time', () => {
    expect(tooLongToRead('word '.repeat(480), TWO_MINUTES)).toBeUndefined()
    expect(tooLongToRead('word '.repeat(481), TWO_MINUTES)).toContain('481 words of prose')
  })

  it('is as long as its sentences, headings and lists', () => {
    const text = `# Two words

- [three more words](./docs/where.md) – and \`a span\`

<!-- example: some/example.js -->

\`\`\`js
const code = 'is not counted'
\`\`\`

| a | table |
| - | ----- |
| b | word  |

\`\`\`\`
\`\`\`
nor code in code
\`\`\`
\`\`\`\`

The end.
`
    expect(proseWords(text)).toBe(10)
  })
})
