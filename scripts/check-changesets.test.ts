import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { changesetProblems, checkRelease } from './check-changesets.js'

const SENTENCE = 'Name the limit of a response `maxResponseBytes`.'
const WAS = 'Before: `maxBytes: 1`'
const IS = 'After: `maxResponseBytes: 1`'
const fenced = (line: string): string => line.replace(/ `(.*)`$/, '\n\n```js\n$1\n```')

const changeset = (bump: string, ...paragraphs: readonly string[]): string =>
  `---\n'shelf': ${bump}\n---\n\n${paragraphs.join('\n\n')}\n`

const problems = (bump: string, ...paragraphs: readonly string[]): readonly string[] =>
  changesetProblems({ file: 'rename.md', text: changeset(bump, ...paragraphs) })

it.each([
  ['nothing of it', []],
  ['only what was', [WAS]],
  ['only what is', [IS]],
  ['what is before what was', [IS, WAS]],
  ['two words', ['Before:', 'After:']],
])('AHP01-R-113: a major version that says %s does not say how to move', (_, paragraphs) => {
  expect(problems('major', SENTENCE, ...paragraphs)).toEqual([
    expect.stringMatching(/^\.changeset\/rename\.md .* how to move/),
  ])
})

it('AHP01-R-113: a major version that shows what was and what is says how to move', () => {
  expect(problems('major', SENTENCE, WAS, IS)).toEqual([])
  expect(problems('major', SENTENCE, fenced(WAS), fenced(IS))).toEqual([])
  expect(problems('minor', SENTENCE)).toEqual([])
})

it('AHP01-R-113: no release is made of a major version that does not say how to move', () => {
  const root = mkdtempSync(join(tmpdir(), 'changesets-test-'))
  onTestFinished(() => {
    rmSync(root, { recursive: true })
  })
  const write = (path: string, text: string): void => {
    writeFileSync(join(root, path), text)
  }
  for (const folder of ['.changeset', 'packages/shelf']) mkdirSync(join(root, folder), { recursive: true })
  cpSync(
    fileURLToPath(new URL('../.changeset/config.json', import.meta.url)),
    join(root, '.changeset/config.json'),
  )
  write('package.json', '{ "name": "root", "version": "0.0.0", "private": true }')
  write('pnpm-workspace.yaml', 'packages: [packages/*]\n')
  write('packages/shelf/package.json', '{ "name": "shelf", "version": "1.4.0" }')
  write('.changeset/bad.md', changeset('major', SENTENCE))
  write('.changeset/good.md', changeset('major', SENTENCE, WAS, IS))
  expect(checkRelease(root)).toEqual({
    lines: ['shelf 1.4.0 -> 2.0.0, 2 lines', '2 changesets would make this release'],
    problems: [expect.stringMatching(/^\.changeset\/bad\.md /)],
  })
})
