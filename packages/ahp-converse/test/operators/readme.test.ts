import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listen } from '@internal/loopback'
import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { send } from '../bookshop.js'

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url))
const AGENT = { authorization: 'Bearer agent-token' }
const ANN = { authorization: `Basic ${btoa('ann:a-password')}` }

it('the desk of the README answers as it is', async () => {
  const readme = await readFile(join(PACKAGE, 'docs/people.md'), 'utf8')
  const program = /```js\n(\/\/ desk\.mjs\n.*?)```/s.exec(readme)?.[1] ?? ''
  const root = await mkdtemp(join(tmpdir(), 'ahp-desk-'))
  await mkdir(join(root, 'node_modules/@doorplate'), { recursive: true })
  await symlink(PACKAGE, join(root, 'node_modules/@doorplate/ahp-converse'))
  await writeFile(join(root, 'desk.mjs'), program)
  const free = await listen(createServer(), 'http')
  await free.close()
  const { port } = free
  const child = spawn(process.execPath, ['desk.mjs'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), AGENT_TOKEN: 'agent-token', DESK_PASSWORD: 'a-password' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  try {
    await expect.poll(() => output, { timeout: 20_000 }).toContain('ready')
    const body = { capability: 'ask_a_person', query: 'Are you open?' }
    await send(port, { method: 'POST', path: '/agent/converse', headers: AGENT, body })
    await expect.poll(() => output, { timeout: 20_000 }).toContain('/desk/tickets/')
    const id = /\/desk\/tickets\/([0-9a-f]+)/.exec(output)?.[1] ?? ''
    expect((await send(port, { path: `/desk/tickets/${id}` })).headers['www-authenticate']).toMatch(/^Basic/)
    for (const [step, form] of [
      ['claim', ''],
      ['answer', 'answer=Until+five.'],
    ]) {
      const headers = {
        ...ANN,
        origin: `http://localhost:${port}`,
        'content-type': 'application/x-www-form-urlencoded',
      }
      const sent = await send(port, {
        method: 'POST',
        path: `/desk/tickets/${id}/${step}`,
        headers,
        body: form,
      })
      expect(sent.status).toBe(303)
    }
    const polled = await send(port, { path: `/agent/converse/status/${id}`, headers: AGENT })
    expect(polled.json).toMatchObject({ status: 'success', response: { answer: 'Until five.' } })
  } finally {
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
    await rm(root, { recursive: true })
  }
})
