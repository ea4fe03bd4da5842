import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const examples = [...readme.matchAll(/```js\n([^]*?)```\s+prints\s+```\n([^]*?)```/g)].map(
  ([, program = '', printed = '']) => ({ program, printed }),
)

it('the README has examples', () => {
  expect(examples).toHaveLength(2)
})

it.each(examples)('example %# of the README prints what the README says', ({ program, printed }) => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: new URL('..', import.meta.url),
    encoding: 'utf8',
  })
  expect(output).toBe(printed)
})
