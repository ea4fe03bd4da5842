import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@internal/loopback'
import { afterAll, beforeAll, expect, test } from 'vitest'

const PACKAGE = fileURLToPath(new URL('../', import.meta.url))

let root = ''

beforeAll(async () => {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8')
  root = await mkdtemp(join(tmpdir(), 'aadp-readme-'))
  await mkdir(join(root, 'node_modules/@doorplate'), { recursive: true })
  await symlink(PACKAGE, join(root, 'node_modules/@doorplate/aadp-server'))
  for (const file of ['site.mjs', 'serve.mjs']) {
    const [, example = ''] = new RegExp(`\`\`\`js\\n(// ${file}\\n.*?)\`\`\``, 's').exec(readme) ?? []
    await writeFile(join(root, file), example)
  }
})

afterAll(() => rm(root, { recursive: true }))

test('the example of the README becomes files by the command below it', async () => {
  const args = [join(PACKAGE, 'dist/cli.js'), 'export', './site.mjs', '--out', 'public']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: root })
  expect([stdout, stderr]).toEqual(['7 documents written to public\n', ''])
  const entity = await readFile(join(root, 'public/ai/v1.0/entities/post/hello.json'), 'utf8')
  expect(JSON.parse(entity)).toMatchObject({ data: { title: 'Hello' } })
})

test('the example of the README is live as it is', async () => {
  const port = await freePort()
  const child = spawn(process.execPath, ['serve.mjs'], {
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
  }
})

async function ask(port: number, path: string): Promise<unknown> {
  return (await fetch(`http://127.0.0.1:${String(port)}${path}`)).json()
}
