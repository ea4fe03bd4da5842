#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { keepStartSmall } from './memory.js'
import { helpText } from './settings/help-text.js'
import { readSettings } from './settings/read-settings.js'
import type { Settings } from './settings/settings.js'
import { StartError } from './start-error.js'
import { onStopSignal } from './stop-signals.js'

const projectRoot = fileURLToPath(new URL('../../..', import.meta.url))

try {
  await main()
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(error.message)
  process.exitCode = error.exitCode
}

async function main(): Promise<void> {
  const { argv, env: environment } = process
  const { request, settings } = readSettings({ args: argv.slice(2), environment, projectRoot })
  if (request === 'help') console.log(helpText())
  else if (request === 'version') console.log(version())
  else await serve(settings)
}

async function serve(settings: Settings): Promise<void> {
  const settleMemory = keepStartSmall()
  // What is needed to serve is loaded when it is sure that there is something to serve.
  const [{ startReferenceServer }, { firstSteps }, { createLogger }] = await Promise.all([
    import('./reference-server.js'),
    import('./first-steps.js'),
    import('./operate/logger.js'),
  ])
  const logger = createLogger(settings)
  const server = await startReferenceServer(settings, {
    projectRoot,
    assetsFolder: fileURLToPath(new URL('../assets', import.meta.url)),
    now: Date.now,
    log: (line) => {
      logger.warn(line)
    },
    logger,
  })
  onStopSignal(
    () => {
      logger.info('stopping')
      void server.stop({ graceMs: settings.stopGraceMs }).then(() => {
        logger.info('stopped')
      })
    },
    { now: Date.now },
  )
  const { renewCertificate } = server
  if (renewCertificate !== undefined) process.on('SIGHUP', () => void renewCertificate())
  console.log(firstSteps(await server.documents(), { ...server, routes: settings.routes }))
  settleMemory()
}

function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
