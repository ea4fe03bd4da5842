import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('the example about knowledge prints what its page says, without eval', () => {
  const text = readFileSync(new URL('../../docs/knowledge.md', import.meta.url), 'utf8')
  const [, program = ''] = /```js\n([\s\S]*?)```/.exec(text) ?? []
  const [, printed] = /prints\n\n```\n([\s\S]*?)```/.exec(text) ?? []
  const args = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', program]
  const output = execFileSync(process.execPath, args, {
    cwd: new URL('../..', import.meta.url),
    encoding: 'utf8',
  })
  expect(output).toBe(printed)
})
