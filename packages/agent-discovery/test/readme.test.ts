import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { PROBE_PATHS } from '../src/probe.js'
import { PUBLICATIONS, type Publication } from '../src/publish/publication.js'

const texts = ['README.md', 'docs/publishing.md', 'docs/rules.md']
  .map((path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
  .join('\n')

it('the examples of the documentation print what it says', () => {
  const programs = [...texts.matchAll(/```js\n([^`]*?)```\n\nprints\n\n```(?:\w*)\n([^]*?)```/g)]
  expect(programs).toHaveLength(3)
  for (const [, program = '', printed] of programs) {
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: new URL('..', import.meta.url),
      encoding: 'utf8',
    })
    expect(output).toBe(printed)
  }
})

it('the documentation names every path that is asked for', () => {
  for (const path of PROBE_PATHS) expect(texts).toContain(`\`${path}\``)
})

it('the documentation names every kind that can be published, and how', () => {
  const rows = Object.entries<Publication>(PUBLICATIONS).map(
    ([kind, { relation, meta, mediaType, robots, listed, catalogued }]) => [
      `\`${kind}\``,
      ...(relation === undefined ? [] : [`\`rel="${relation}"\``]),
      ...(meta === undefined ? [] : [`\`<meta name="${meta}">\``]),
      ...(mediaType === undefined ? [] : [`\`${mediaType}\``]),
      ...(robots === undefined ? [] : [`robots.txt: \`${robots}\``]),
      ...(listed === true ? ['ARD manifest'] : []),
      ...(catalogued === undefined ? [] : [`API catalog: \`${catalogued}\``]),
    ],
  )
  const [, table = ''] = readFileSync(new URL('../docs/publishing.md', import.meta.url), 'utf8').split(
    '## Kinds',
  )
  const written = [...table.matchAll(/^\| `.*$/gm)].map(([row]) =>
    row.split(/[|,]/).map((cell) => cell.trim()),
  )
  expect(written.map((cells) => cells.filter((cell) => cell !== ''))).toEqual(rows)
})
