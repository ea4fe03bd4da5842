import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@internal/loopback'
import { expect, test } from 'vitest'

const PACKAGE = fileURLToPath(new URL('../', import.meta.url))

test('the example of the README is live as it is', async () => {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8')
  const example = /```js\n(\/\/ site\.mjs\n.*?)```/s.exec(readme)?.[1] ?? ''
  const root = await mkdtemp(join(tmpdir(), 'aadp-readme-'))
  await mkdir(join(root, 'node_modules/@doorplate'), { recursive: true })
  await symlink(PACKAGE, join(root, 'node_modules/@doorplate/aadp-server'))
  await writeFile(join(root, 'site.mjs'), example)
  const port = await freePort()
  const child = spawn(process.execPath, ['site.mjs'], {
    cwd: root,
    env: { ...process.env, PORT: String(port) },
  })
  try {
    await once(child.stdout, 'data')
    const manifest = await ask(port, '/.well-known/ai-manifest.json')
    expect(manifest).toMatchObject({ aadp_version: '1.0', application: { name: 'My blog' } })
    expect(await ask(port, '/ai/v1.0/sitemap-index.json')).toMatchObject({
      sitemaps: [{ type: 'post', count: 1 }],
    })
    expect(await ask(port, '/ai/v1.0/entities/post/hello.json')).toMatchObject({ data: { title: 'Hello' } })
  } finally {
    child.kill()
    await once(child, 'exit')
    await rm(root, { recursive: true })
  }
})

async function ask(port: number, path: string): Promise<unknown> {
  return (await fetch(`http://127.0.0.1:${String(port)}${path}`)).json()
}
