import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@internal/loopback'
import { expect, test } from 'vitest'
import { send } from './bookshop.js'

const PACKAGE = fileURLToPath(new URL('../', import.meta.url))

test('the site of the README answers as it is', async () => {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8')
  const question = /-d '(\{.*\})'/.exec(readme)?.[1] ?? ''
  await using site = await start('site.mjs', { 'docs/refunds.md': REFUNDS })
  const asked = await send(site.port, { method: 'POST', path: '/agent/converse', body: question })
  expect(asked.json).toMatchObject({
    status: 'success',
    response: {
      answer: expect.stringContaining('A refund takes five days.') as string,
      sources: [{ title: 'Refunds', url: '/refunds' }],
    },
  })
  expect((await send(site.port, { path: '/llms.txt' })).text).toContain('[Refunds](/refunds)')
  expect((await send(site.port, { path: '/refunds' })).text).toBe('My own pages')

  const visitor = /```js\n(import \{ visit \}[^]*?)```/.exec(readme)?.[1] ?? ''
  const args = ['--input-type=module', '--eval', visitor.replaceAll('3000', String(site.port))]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PACKAGE })
  expect(stdout).toContain('A refund takes five days.')
})

test('the shop of the README gives money back, once', async () => {
  const AGENT_TOKEN = 'a-token-of-an-agent'
  const CALLBACK_SECRET = `whsec_${btoa('a secret of thirty-two characters')}`
  await using site = await start('shop.mjs', {}, { AGENT_TOKEN, CALLBACK_SECRET })
  const headers = { authorization: `Bearer ${AGENT_TOKEN}`, 'idempotency-key': 'k' }
  const body = { capability: 'refund', query: '{"order_id":"7"}' }
  const visit = { method: 'POST', path: '/agent/converse', headers, body }
  const first = await send(site.port, visit)
  expect(first.json).toMatchObject({ status: 'success', response: { answer: 'The money is on its way.' } })
  expect((await send(site.port, visit)).text).toBe(first.text)
  expect(site.output().match(/refund 7, once, as [0-9a-f]{32}/g)).toHaveLength(1)
})

const REFUNDS = '# Refunds\n\nA refund takes five days. It goes to your card.\n'

interface Program extends AsyncDisposable {
  readonly port: number
  readonly output: () => string
}

/** Runs a program of the documentation, which names it in its first line, in a folder with these files. */
async function start(
  name: string,
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const texts = await Promise.all(
    ['README.md', 'docs/jobs.md'].map((path) => readFile(join(PACKAGE, path), 'utf8')),
  )
  const programs = [...texts.join('\n').matchAll(/```js\n(.*?)```/gs)].map(([, program = '']) => program)
  const root = await mkdtemp(join(tmpdir(), 'ahp-readme-'))
  await mkdir(join(root, 'node_modules/@doorplate'), { recursive: true })
  await symlink(PACKAGE, join(root, 'node_modules/@doorplate/ahp-converse'))
  await writeFile(join(root, name), programs.find((program) => program.startsWith(`// ${name}\n`)) ?? '')
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const port = await freePort()
  const child = spawn(process.execPath, [name], {
    cwd: root,
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  return {
    port,
    output: () => output,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(root, { recursive: true })
    },
  }
}
