import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('the example of the README prints what the README says', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [, program = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? []
  const [, printed] = /prints\n\n```\n([\s\S]*?)```/.exec(readme) ?? []
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: new URL('..', import.meta.url),
    encoding: 'utf8',
  })
  expect(output).toBe(printed)
})
