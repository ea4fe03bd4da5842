import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('the example of the README prints what the README says, without eval', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const section = readme.slice(readme.indexOf('\n## Knowledge\n'))
  const [, program = ''] = /```js\n([\s\S]*?)```/.exec(section) ?? []
  const [, printed] = /prints\n\n```\n([\s\S]*?)```/.exec(section) ?? []
  const args = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', program]
  const output = execFileSync(process.execPath, args, {
    cwd: new URL('../..', import.meta.url),
    encoding: 'utf8',
  })
  expect(output).toBe(printed)
})
