import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { send } from './bookshop.js'

const PACKAGE = fileURLToPath(new URL('../', import.meta.url))

test('the site of the README answers as it is', async () => {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8')
  const program = /```js\n(\/\/ site\.mjs\n.*?)```/s.exec(readme)?.[1] ?? ''
  const question = /-d '(\{.*\})'/.exec(readme)?.[1] ?? ''
  const root = await mkdtemp(join(tmpdir(), 'ahp-readme-'))
  await mkdir(join(root, 'node_modules/@doorplate'), { recursive: true })
  await symlink(PACKAGE, join(root, 'node_modules/@doorplate/ahp-converse'))
  await writeFile(join(root, 'site.mjs'), program)
  await mkdir(join(root, 'docs'))
  await writeFile(
    join(root, 'docs/refunds.md'),
    '# Refunds\n\nA refund takes five days. It goes to your card.\n',
  )
  const port = await freePort()
  const child = spawn(process.execPath, ['site.mjs'], {
    cwd: root,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await once(child.stdout, 'data')
    const asked = await send(port, { method: 'POST', path: '/agent/converse', body: question })
    expect(asked.json).toMatchObject({
      status: 'success',
      response: {
        answer: expect.stringContaining('A refund takes five days.') as string,
        sources: [{ title: 'Refunds', url: '/refunds' }],
      },
    })
    expect((await send(port, { path: '/llms.txt' })).text).toContain('[Refunds](/refunds)')
  } finally {
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
    await rm(root, { recursive: true })
  }
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
