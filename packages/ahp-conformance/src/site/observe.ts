import type { Finding } from '@doorplate/conformance-kit'
import { cacheFindings } from './findings/cache-findings.js'
import { credentialFindings } from './findings/credential-findings.js'
import { internalsFindings } from './findings/internals-findings.js'
import { limitFindings, retryFindings } from './findings/limit-findings.js'
import { linkFindings } from './findings/link-findings.js'
import { mediaFindings } from './findings/media-findings.js'
import { challengeFindings, errorFindings } from './findings/error-findings.js'
import { echoFindings, schemaFindings } from './findings/message-findings.js'
import type { Endpoint, Reading } from './reading.js'
import { toldLimit, type ToldLimit } from './told-limit.js'

/** The sides from which every response is looked at while it is at hand. Each is the business of one check. */
export type Aspect =
  | 'link'
  | 'limits'
  | 'errors'
  | 'internals'
  | 'schema'
  | 'media'
  | 'challenge'
  | 'retry'
  | 'echo'
  | 'cache'
  | 'credential'

/** One response that was seen, reduced to what is wrong with it, and to what it told of a limit. */
export interface Observation {
  readonly endpoint: Endpoint
  readonly status: number
  readonly findings: Readonly<Record<Aspect, readonly Finding[]>>
  readonly toldLimit: ToldLimit | undefined
}

/** What an observer knows of the run. */
export interface Observer {
  readonly origin: string
  /** Texts that no body may repeat. */
  readonly secrets: readonly string[]
  readonly now: () => number
}

/** Looks at a response from every side; undefined when there was none. */
export function observe(reading: Reading, { origin, secrets, now }: Observer): Observation | undefined {
  const { endpoint, status, request } = reading
  // Pages, content and sources may be those of somebody else; endpoints are the site's wherever they are.
  const isOwn = (endpoint !== 'page' && endpoint !== 'content') || new URL(reading.url).origin === origin
  if (status === undefined) return undefined
  const isMessage = MESSAGES.has(endpoint) && request.method !== 'OPTIONS'
  // What HEAD is answered has no body to judge.
  const isError = status >= 400 && ERRING.has(endpoint) && request.method !== 'HEAD'
  const findings: Observation['findings'] = {
    link: isOwn ? linkFindings(reading) : [],
    limits: isOwn && LIMITED.has(endpoint) ? limitFindings(reading) : [],
    errors: isError ? errorFindings(reading, status) : [],
    internals: ERRING.has(endpoint) || endpoint === 'mcp' ? internalsFindings(reading) : [],
    schema: MESSAGES.has(endpoint) ? schemaFindings(reading, status) : [],
    media: MESSAGES.has(endpoint) ? mediaFindings(reading) : [],
    challenge: status === 401 ? challengeFindings(reading) : [],
    retry: status === 429 ? retryFindings(reading) : [],
    echo: MESSAGES.has(endpoint) ? echoFindings(reading) : [],
    cache: isMessage ? cacheFindings(reading) : [],
    credential: isOwn ? credentialFindings(reading, secrets) : [],
  }
  const seenBy = Object.entries(findings).map(([aspect, found]) => [
    aspect,
    found.map((finding) => ({ ...finding, request })),
  ])
  return {
    endpoint,
    status,
    findings: Object.fromEntries(seenBy) as Observation['findings'],
    toldLimit: toldLimit(reading, now()),
  }
}

/** Endpoints of the protocol; pages are not. */
const LIMITED: ReadonlySet<Endpoint> = new Set([
  'manifest',
  'content',
  'converse',
  'status',
  'mcp',
  'openapi',
  'capability',
])
/** Where messages of the protocol come from. */
export const MESSAGES: ReadonlySet<Endpoint> = new Set(['converse', 'status', 'capability'])
const ERRING: ReadonlySet<Endpoint> = new Set(['manifest', 'converse', 'status', 'capability'])
