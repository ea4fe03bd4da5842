import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Settings } from './settings/settings.js'
import { StartError } from './start-error.js'

/** What https is spoken with. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

/** Undefined where plain http is to be spoken. Throws `StartError`. */
export async function readTlsFiles({
  tlsCert,
  tlsKey,
}: Pick<Settings, 'tlsCert' | 'tlsKey'>): Promise<TlsFiles | undefined> {
  if (tlsCert === undefined || tlsKey === undefined) return undefined
  const [cert, key] = [await readPem('TLS_CERT', tlsCert), await readPem('TLS_KEY', tlsKey)]
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const { code = 'no PEM' } = error as NodeJS.ErrnoException
    throw new StartError(`TLS_CERT and TLS_KEY cannot be used together: ${code}.`)
  }
  return { cert, key }
}

async function readPem(name: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new StartError(`${name} ${file} cannot be read: ${code}.`)
  }
}
