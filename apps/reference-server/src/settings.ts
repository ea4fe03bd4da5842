import { resolve } from 'node:path'
import { StartError } from './start-error.js'

export interface Settings {
  /** Address or host name to listen on. */
  readonly host: string
  /** TCP port; 0 lets the system choose. */
  readonly port: number
  /** Origin that every published URL starts with; absent: derived from the address listened on, never from a request. */
  readonly publicUrl: string | undefined
  /** Absolute path of the folder that the server writes to. */
  readonly dataDir: string
}

export const DEFAULT_HOST = '127.0.0.1'
export const DEFAULT_PORT = 4870

/** Reads and checks the environment; an empty variable counts as absent. Throws `StartError`. */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  projectRoot: string,
): Settings {
  const given = (name: string): string | undefined =>
    environment[name] === '' ? undefined : environment[name]
  const [host, port, publicUrl] = [given('HOST'), given('PORT'), given('PUBLIC_URL')]
  return {
    host: checkedHost(host ?? DEFAULT_HOST),
    port: port === undefined ? DEFAULT_PORT : checkedPort(port),
    publicUrl: publicUrl === undefined ? undefined : checkedOrigin(publicUrl),
    dataDir: resolve(projectRoot, given('DATA_DIR') ?? 'data'),
  }
}

function checkedHost(value: string): string {
  const host = value.replace(/^\[(.*)\]$/, '$1')
  if (/^[a-zA-Z0-9.:_%-]+$/.test(host)) return host
  throw new StartError(
    `HOST must be an address or a host name such as 127.0.0.1, not ${JSON.stringify(value)}.`,
  )
}

function checkedPort(value: string): number {
  const port = Number(value)
  if (/^\d{1,5}$/.test(value) && port <= 65_535) return port
  throw new StartError(`PORT must be a whole number from 0 to 65535, not ${JSON.stringify(value)}.`)
}

function checkedOrigin(value: string): string {
  if (!URL.canParse(value)) throw notAnOrigin('is no absolute URL')
  const url = new URL(value)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw notAnOrigin('is neither http nor https')
  if (url.username !== '' || url.password !== '') throw notAnOrigin('holds credentials')
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw notAnOrigin('has more than an origin')
  return url.origin
}

/** The value is left out: it may hold credentials. */
function notAnOrigin(reason: string): StartError {
  return new StartError(
    `PUBLIC_URL must be an origin such as https://docs.my-site.org, and the one given ${reason}.`,
  )
}
