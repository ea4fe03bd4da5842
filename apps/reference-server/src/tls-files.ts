import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Settings } from './settings/settings.js'
import { StartError } from './start-error.js'

/** What https is spoken with. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
  /** When the certificate ends, in words. */
  readonly validTo: string
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
    // Of empty files a context is made too, with which nobody can be served.
    createPrivateKey(key)
    return { cert, key, validTo: new X509Certificate(cert).validTo }
  } catch (error) {
    const { code = 'no PEM' } = error as NodeJS.ErrnoException
    throw new StartError(`TLS_CERT and TLS_KEY cannot be used together: ${code}.`)
  }
}

async function readPem(name: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new StartError(`${name} ${file} cannot be read: ${code}.`)
  }
}
