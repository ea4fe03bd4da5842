#!/usr/bin/env node
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { createSafeFetch } from '@doorplate/safe-fetch'
import { ask } from './demo/ask.js'
import { startCarrierService } from './demo/carrier-service.js'
import { demoSettings } from './demo/demo-settings.js'
import { find } from './demo/find.js'
import { startHttpsRelay } from './demo/https-relay.js'
import { createNarrator } from './demo/narrator.js'
import { read } from './demo/read.js'
import { makeThrowawayCertificate } from './demo/throwaway-certificate.js'
import { verify } from './demo/verify.js'
import { startReferenceServer } from './reference-server.js'

const projectRoot = fileURLToPath(new URL('../../..', import.meta.url))

try {
  await demonstrate()
} catch (error) {
  console.error(`\nFailed: ${(error as Error).message}`)
  process.exitCode = 1
}

/** A server of its own, by https, in a folder that is gone afterwards, and an agent that visits it. */
async function demonstrate(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'doorplate-demo-'))
  try {
    await visitServerIn(dataDir)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function visitServerIn(dataDir: string): Promise<void> {
  const certificate = await makeThrowawayCertificate(dataDir)
  await using carrier = await startCarrierService()
  await using relay = await startHttpsRelay(certificate)
  const { host, port } = new URL(relay.url)
  const settings = demoSettings(projectRoot, {
    ...{ dataDir, tlsCert: certificate.certFile, tlsKey: certificate.keyFile, carrierUrl: carrier.url },
    ...{ callbackSecret: `whsec_${randomBytes(32).toString('base64')}`, callbackPorts: [port] },
    ...{ callbackPrivateHosts: [host], callbackCa: certificate.certFile },
  })
  const server = await startReferenceServer(settings, {
    projectRoot,
    assetsFolder: fileURLToPath(new URL('../assets', import.meta.url)),
    now: Date.now,
    log: console.error,
  })
  const { origin, tokens, hasShop } = server
  const fetch = createSafeFetch({ dangerouslyAllow: [new URL(origin).host], ca: certificate.cert })
  const narrator = createNarrator(console.log)
  const site = { origin, tokens, fetch, ca: certificate.cert }
  try {
    console.log(`An agent visits ${origin}`)
    await find(site, narrator)
    await read(site, narrator)
    await ask(site, narrator)
    await verify(site, { hasShop, relay }, narrator)
    console.log('\nAll of it worked.')
  } finally {
    await fetch.close()
    await server.stop({ graceMs: 1000 })
  }
}
