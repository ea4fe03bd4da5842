import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConcierge, type Concierge } from '@doorplate/ahp-converse/server'
import { hasRedis, startRedis, type RedisServer } from '@internal/loopback'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { site } from '../examples/ahp-converse/concierge-options.js'
import { startBookSite } from './book-site.js'

/** Fragments that are shown without what is around them, on a Redis of their own. */
describe.skipIf(!hasRedis)('a fragment (skipped without redis-server)', () => {
  let redis: RedisServer

  beforeAll(async () => {
    redis = await startRedis()
    vi.stubEnv('REDIS_URL', redis.url)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await redis[Symbol.asyncDispose]()
  })

  test('about stores keeps limits and answers there', async () => {
    const { concierge, close } = await import('../examples/ahp-converse/stores.js')
    expect(await ask(concierge, {})).toMatchObject({ status: 'success' })
    await concierge.close()
    await close()
  })

  test('about a queue has the work done by whoever takes it', async () => {
    const { capability, close } = await import('../examples/ahp-converse/queue.js')
    const concierge = defineConcierge({
      ...site,
      verify: () => ({ id: 'reader' }),
      capabilities: {
        ...site.capabilities,
        order: {
          description: 'Orders.',
          mode: 'MODE3',
          inputSchema: { type: 'object' },
          outputSchema: { type: 'object' },
          ...capability,
          actionType: 'action',
        },
      },
    })
    const answered = await ask(concierge, { authorization: 'Bearer any' }, 'order')
    expect(answered).toMatchObject({ status: 'success', response: { answer: 'Ordered.' } })
    await concierge.close()
    await close()
  })

  test('about many origins mirrors each of them', async () => {
    await using books = await startBookSite()
    const folder = await mkdtemp(join(tmpdir(), 'docs-sync-'))
    const program = join(import.meta.dirname, '../examples/aadp-client/sync-origins.js')
    const child = spawn(process.execPath, [program, books.origin], {
      env: {
        ...process.env,
        MIRROR: join(folder, 'mirror.db'),
        PRIVATE_HOSTS: new URL(books.origin).host,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    let printed = ''
    for await (const text of child.stdout) {
      printed += String(text)
      if (printed.includes('complete')) child.kill('SIGINT')
    }
    expect(await exited).toEqual([0, null])
    expect(printed).toBe(
      ['created', 'created', 'unchanged', 'complete'].map((what) => `${books.origin} ${what}\n`).join(''),
    )
    await rm(folder, { recursive: true })
  })
})

async function ask(
  concierge: Concierge,
  headers: Readonly<Record<string, string>>,
  capability = 'hours',
): Promise<unknown> {
  const response = await concierge.handleRequest(
    new Request('https://shop.example/agent/converse', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ capability, query: 'When are you open?' }),
    }),
    { remoteAddress: '192.0.2.1' },
  )
  return response.json()
}
