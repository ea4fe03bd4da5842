import { resolve } from 'node:path'
import { StartError } from './start-error.js'

/** So many requests in a period: `30/minute`. */
export type Rate = `${number}/${'second' | 'minute' | 'hour' | 'day'}`

/** What one address, or one holder of a token, may do. */
export interface Limits {
  /** Everything that is no question. */
  readonly read: Rate | undefined
  readonly ask: Rate | undefined
  /** What acts, or is left to a person. */
  readonly action: Rate | undefined
}

export interface Settings {
  /** Address or host name to listen on. */
  readonly host: string
  /** TCP port; 0 lets the system choose. */
  readonly port: number
  /** Origin that every published URL starts with; absent: derived from the address listened on, never from a request. */
  readonly publicUrl: string | undefined
  /** Absolute path of the folder that the server writes to. */
  readonly dataDir: string
  /** Where sessions, limits, kept answers and jobs are shared with other processes; absent: kept by this one. */
  readonly redisUrl: string | undefined
  /** Absent ones are those of the concierge. */
  readonly limits: Limits
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
  const [host, port, publicUrl, redisUrl] = ['HOST', 'PORT', 'PUBLIC_URL', 'REDIS_URL'].map(given)
  return {
    host: checkedHost(host ?? DEFAULT_HOST),
    port: port === undefined ? DEFAULT_PORT : checkedPort(port),
    publicUrl: publicUrl === undefined ? undefined : checkedOrigin(publicUrl),
    dataDir: resolve(projectRoot, given('DATA_DIR') ?? 'data'),
    redisUrl: redisUrl === undefined ? undefined : checkedRedisUrl(redisUrl),
    limits: {
      read: checkedRate('READ_LIMIT', given('READ_LIMIT')),
      ask: checkedRate('ASK_LIMIT', given('ASK_LIMIT')),
      action: checkedRate('ACTION_LIMIT', given('ACTION_LIMIT')),
    },
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

/** The value is left out of the message, as it may hold a password. */
function checkedRedisUrl(value: string): string {
  if (URL.canParse(value) && /^rediss?:$/.test(new URL(value).protocol)) return value
  throw new StartError('REDIS_URL must be a URL such as redis://127.0.0.1:6379.')
}

function checkedRate(name: string, value: string | undefined): Rate | undefined {
  if (value === undefined) return undefined
  if (/^[1-9]\d{0,8}\/(second|minute|hour|day)$/.test(value)) return value as Rate
  throw new StartError(`${name} must be a rate such as 30/minute, not ${JSON.stringify(value)}.`)
}
