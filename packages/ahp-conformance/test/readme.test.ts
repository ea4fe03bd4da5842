import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('the first example of the README prints what it says', () => {
  const folder = new URL('..', import.meta.url)
  const readme = readFileSync(new URL('README.md', folder), 'utf8')
  const program = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  const promised = /prints\n\n```\n([\s\S]*?)```/.exec(readme)?.[1]
  const node = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(node.stdout + node.stderr).toBe(promised)
})
