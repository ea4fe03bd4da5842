import { unwatchFile, watchFile } from 'node:fs'
import type { Server } from 'node:https'
import type { Logger } from './operate/logger.js'
import type { Settings } from './settings/settings.js'
import { StartError } from './start-error.js'
import { readTlsFiles, type TlsFiles } from './tls-files.js'

/** Keeps what https is spoken with as new as its files. */
export interface TlsRenewal {
  /** The certificate in use, in PEM. */
  certificate(): string
  /** Reads the files now. Where they are no good pair, the one in use is kept, and the log says why. */
  readonly renew: () => Promise<void>
  stop(): void
}

export interface TlsRenewalOptions {
  readonly settings: Pick<Settings, 'tlsCert' | 'tlsKey'>
  /** Read before. */
  readonly inUse: TlsFiles
  readonly logger: Logger
  /** How often the files are looked at, milliseconds. */
  readonly checkMs: number
}

/** Connections that are open stay as they are. */
export function followTlsFiles(server: Server, options: TlsRenewalOptions): TlsRenewal {
  const { settings, logger, checkMs: interval } = options
  const files = [settings.tlsCert, settings.tlsKey].filter((file) => file !== undefined)
  let { inUse } = options
  let last = Promise.resolve()

  async function readAnew(): Promise<void> {
    try {
      const found = await readTlsFiles(settings)
      if (found === undefined || (found.cert === inUse.cert && found.key === inUse.key)) return
      server.setSecureContext(found)
      inUse = found
      logger.info({ validTo: found.validTo }, 'certificate renewed')
    } catch (error) {
      const reason = error instanceof StartError ? error.message : String(error)
      logger.error({ reason }, 'the certificate in use is kept')
    }
  }

  function renew(): Promise<void> {
    last = last.then(readAnew)
    return last
  }

  // Looked at by name: a link may lead to another file, and a file may be replaced.
  const onChange = (): void => void renew()
  for (const file of files) watchFile(file, { interval, persistent: false }, onChange)
  return {
    certificate: () => inUse.cert,
    renew,
    stop() {
      for (const file of files) unwatchFile(file, onChange)
    },
  }
}
