import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('the example of the README prints what the README says, without eval', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [, program = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? []
  const [, printed] = /prints\n\n```\n([\s\S]*?)```/.exec(readme) ?? []
  const args = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', program]
  const output = execFileSync(process.execPath, args, {
    cwd: new URL('..', import.meta.url),
    encoding: 'utf8',
  })
  expect(output).toBe(printed)
})

it('the command of the package runs', () => {
  const command = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
  const input = '{"ahp":"0.1","modes":["MODE1"],"content_signals":{"ai_input":true}}'
  const output = execFileSync(process.execPath, [command, 'validate', '-'], { input, encoding: 'utf8' })
  expect(output).toMatch(/\nvalid\n$/)
})
