import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { hasRedis, listen, startRedis } from '@internal/loopback'
import { expect, it } from 'vitest'
import { type Seen, send } from '../bookshop.js'

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url))

it.skipIf(!hasRedis)(
  `the site of the README has one session in two processes${hasRedis ? '' : ' (skipped: no redis-server here)'}`,
  async () => {
    const readme = readFileSync(join(PACKAGE, 'docs/redis.md'), 'utf8')
    const root = mkdtempSync(join(tmpdir(), 'ahp-shared-'))
    mkdirSync(join(root, 'node_modules/@doorplate'), { recursive: true })
    symlinkSync(PACKAGE, join(root, 'node_modules/@doorplate/ahp-converse'))
    symlinkSync(join(PACKAGE, 'node_modules/ioredis'), join(root, 'node_modules/ioredis'))
    const program = join(root, 'site.mjs')
    writeFileSync(program, /```js\n(\/\/ shared-site\.mjs\n.*?)```/s.exec(readme)?.[1] ?? '')
    await using redis = await startRedis()
    const sites = [await start(program, redis.url), await start(program, redis.url)] as const
    try {
      const first = await sites[0].ask({})
      const { session_id } = first.json as { readonly session_id: string }
      expect(first.json).toMatchObject({ response: { answer: 'Hello 1!' } })
      expect((await sites[1].ask({ session_id })).json).toMatchObject({ response: { answer: 'Hello 2!' } })
    } finally {
      await Promise.all(sites.map((site) => site.end()))
      rmSync(root, { recursive: true })
    }
  },
)

interface Site {
  ask(members: Readonly<Record<string, unknown>>): Promise<Seen>
  end(): Promise<void>
}

async function start(program: string, redisUrl: string): Promise<Site> {
  const taken = await listen(createServer(), 'http')
  const { port } = taken
  await taken.close()
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, PORT: String(port), REDIS_URL: redisUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return {
    async ask(members) {
      const body = {
        ahp: '0.1',
        capability: 'greet',
        query: 'Hi',
        context: { requesting_agent: 'test/1' },
        ...members,
      }
      for (;;) {
        const seen = await send(port, { method: 'POST', path: '/agent/converse', body }).catch(
          () => undefined,
        )
        if (seen !== undefined) return seen
        expect(child.exitCode).toBeNull()
        await sleep(20)
      }
    },
    async end() {
      const gone = once(child, 'exit')
      if (child.exitCode === null && child.kill()) await gone
    },
  }
}
