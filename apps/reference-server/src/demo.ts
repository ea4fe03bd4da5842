#!/usr/bin/env node
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { createSafeFetch } from '@doorplate/safe-fetch'
import { ask } from './demo/ask.js'
import { find } from './demo/find.js'
import { createNarrator } from './demo/narrator.js'
import { read } from './demo/read.js'
import { verify } from './demo/verify.js'
import { startReferenceServer } from './reference-server.js'

/** A visit is over in seconds, so its limits are none that a site would have. */
const PLENTY = '100000/minute'

const dataDir = await mkdtemp(join(tmpdir(), 'doorplate-demo-'))
try {
  await demonstrate()
} catch (error) {
  console.error(`\nFailed: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

/** A server of its own in a folder that is gone afterwards, and an agent that visits it over HTTP. */
async function demonstrate(): Promise<void> {
  const server = await startReferenceServer(
    {
      host: '127.0.0.1',
      port: 0,
      publicUrl: undefined,
      dataDir,
      redisUrl: undefined,
      limits: { read: PLENTY, ask: PLENTY, action: PLENTY },
    },
    {
      projectRoot: fileURLToPath(new URL('../../..', import.meta.url)),
      assetsFolder: fileURLToPath(new URL('../assets', import.meta.url)),
      now: Date.now,
      log: console.error,
    },
  )
  const { origin, tokens, hasShop } = server
  const fetch = createSafeFetch({ dangerouslyAllow: [new URL(origin).host] })
  const narrator = createNarrator(console.log)
  const site = { origin, tokens, fetch }
  try {
    console.log(`An agent visits ${origin}`)
    await find(site, narrator)
    await read(site, narrator)
    await ask(site, narrator)
    await verify(site, { hasShop }, narrator)
    console.log('\nAll of it worked.')
  } finally {
    await fetch.close()
    await server.stop({ graceMs: 1000 })
  }
}
