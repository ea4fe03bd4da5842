#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { HELP, readCommandLine } from './command-line.js'
import { firstSteps } from './first-steps.js'
import { startReferenceServer } from './reference-server.js'
import { readSettings } from './settings.js'
import { StartError } from './start-error.js'
import { onStopSignal } from './stop-signals.js'

const GRACE_MS = 10_000

try {
  await main()
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const { request, records } = readCommandLine(process.argv.slice(2))
  if (request === 'help') console.log(HELP)
  else if (request === 'version') console.log(version())
  else await serve(records)
}

async function serve(records: number): Promise<void> {
  const projectRoot = fileURLToPath(new URL('../../..', import.meta.url))
  const settings = readSettings(process.env, projectRoot)
  const server = await startReferenceServer(settings, {
    projectRoot,
    assetsFolder: fileURLToPath(new URL('../assets', import.meta.url)),
    records,
    now: Date.now,
    log: console.error,
  })
  onStopSignal(() => void server.stop({ graceMs: GRACE_MS }), { now: Date.now })
  console.log(firstSteps(await server.documents(), server))
}

function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
