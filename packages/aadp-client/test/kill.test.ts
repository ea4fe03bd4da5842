import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import type { SyncEvent } from '../src/index.js'
import { createSqliteStore } from '../src/sqlite.js'
import { Site } from './site.js'

const KILLS = 100

const folder = mkdtempSync(join(tmpdir(), 'doorplate-kill-'))
const storePath = join(folder, 'mirror.db')
const logPath = join(folder, 'events.ndjson')
afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** Syncs in a process of its own; kills it after a time, if one is given. */
async function sync(site: Site, killAfterMs?: number): Promise<void> {
  const child = fork(new URL('./sync-and-log.js', import.meta.url), [site.origin, storePath, logPath], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const gone = once(child, 'exit')
  await Promise.race([once(child, 'message'), gone])
  if (killAfterMs !== undefined) {
    await Promise.race([sleep(killAfterMs), gone])
    child.kill('SIGKILL')
  }
  const [code] = (await gone) as [number | null]
  if (killAfterMs === undefined) expect(code).toBe(0)
}

/** What a consumer knows that only listens to the events. Fails where a change is told as new twice. */
function replay(lines: readonly string[]): Map<string, unknown> {
  const known = new Map<string, unknown>()
  for (const line of lines) {
    const event = JSON.parse(line) as SyncEvent
    if (event.kind === 'unchanged') continue
    if (!event.replayed) {
      if (event.kind === 'created') expect(known.has(event.id)).toBe(false)
      else expect(known.has(event.id)).toBe(true)
      if (event.kind === 'updated') expect(event.entity.data).not.toEqual(known.get(event.id))
    }
    if (event.kind === 'deleted') known.delete(event.id)
    else known.set(event.id, event.entity.data)
  }
  return known
}

it(
  `survives ${KILLS} kills at any point: no change is lost, none is told as new twice`,
  { timeout: 300_000 },
  async () => {
    await using site = await new Site({ counts: { post: 40, page: 10 }, pageSize: 10 }).start()
    let killed = 0
    for (let round = 0; killed < KILLS; round++) {
      change(site, round)
      await sync(site, Math.random() * 300)
      killed++
    }
    await sync(site)
    const source = new Map(
      [...site.content].flatMap(([type, entities]) =>
        [...entities].map(([name, data]) => [`${type}:${name}`, data]),
      ),
    )
    const store = createSqliteStore(storePath)
    const ids = Array.from(await store.listEntities(site.origin))
    const mirror = new Map(
      await Promise.all(
        ids.map(async (id) => [id, (await store.readEntity(site.origin, id))?.data] as const),
      ),
    )
    store.close()
    const lines = existsSync(logPath) ? readFileSync(logPath, 'utf8').trimEnd().split('\n') : []
    expect(mirror).toEqual(source)
    expect(replay(lines)).toEqual(source)
  },
)

/** Adds one entity, changes another and removes a third. */
function change(site: Site, round: number): void {
  const posts = site.content.get('post')!
  site.set('post', `new${round}`, { title: `New in ${round}` })
  const names = [...posts.keys()]
  site.set('post', names[(round * 7) % names.length]!, { title: `Changed in ${round}` })
  posts.delete(names[(round * 13 + 1) % names.length]!)
}
