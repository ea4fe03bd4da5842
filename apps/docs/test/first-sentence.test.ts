import { expect, it } from 'vitest'
import { firstSentence } from '../.vitepress/first-sentence.js'

it.each([
  [
    '---\ntitle: x\n---\n\n# Title\n\nA [link](./a.md) and `code` in a sentence. Another one.',
    'A link and code in a sentence.',
  ],
  [
    '# Title\n\n```sh\nnpm install everything.that.is\n```\n\nWhat comes after the code:\n\n- a',
    'What comes after the code.',
  ],
  [
    '# Title\n\nprints\n\n| a | b |\n| - | - |\n\n**Context.** Somebody wanted it so. More.',
    'Context. Somebody wanted it so.',
  ],
  ['# Title {#anchor}\n\n| a | b |\n| - | - |\n', 'Title'],
  [`# Title\n\n${'word '.repeat(60)}`, `${'word '.repeat(40).trim()} …`],
])('of %j', (markdown, sentence) => {
  expect(firstSentence(markdown)).toBe(sentence)
})
