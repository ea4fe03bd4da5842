import { fileIn, hostIn, numberedUrlIn, originIn, portIn, rangeIn, redisUrlIn } from './accepted-texts.js'
import { list, oneOf, rate, secret, text, whole } from './kinds.js'
import type { Setting } from './setting.js'
import type { Settings } from './settings.js'

export type DeclaredSettings = { readonly [Name in keyof Settings]: Setting<Settings[Name]> }

export interface SettingGroup {
  readonly title: string
  readonly settings: Partial<DeclaredSettings>
}

const DAY_MS = 86_400_000
const MAX_TIMER_MS = 2_147_483_647
const MAX_COUNT = 1_000_000_000

const file = { example: 'the path of a file', accept: fileIn }

function count(byDefault: number, what: string, unit: string = ''): Setting<number> {
  return whole(byDefault, { what, unit, min: 1, max: MAX_COUNT })
}

function bytes(byDefault: number, what: string): Setting<number> {
  return whole(byDefault, { what, unit: 'bytes', min: 1024, max: 2 ** 40 })
}

function milliseconds(byDefault: number, what: string, min: number = 1): Setting<number> {
  return whole(byDefault, { what, unit: 'ms', min, max: MAX_TIMER_MS })
}

/** Every setting, as the help lists them. */
const GROUPS = {
  'Where it is': {
    host: text('127.0.0.1', {
      what: 'address to listen on',
      example: 'an address or a host name such as 127.0.0.1',
      accept: hostIn,
    }),
    port: whole(4870, { what: 'port; 0 picks a free one', unit: '', min: 0, max: 65_535 }),
    publicUrl: secret({
      what: 'origin in published addresses',
      defaultText: 'http(s)://HOST:PORT',
      example: 'an origin such as https://docs.my-site.org, without a path or credentials',
      accept: originIn,
      isFlag: true,
    }),
    tlsCert: text(undefined, { what: 'certificate in PEM, for https', ...file }),
    tlsKey: text(undefined, { what: 'its key in PEM', ...file }),
    trustedProxies: list({
      what: 'proxies whose X-Forwarded-For is believed',
      example: '127.0.0.1,10.0.0.0/8',
      accept: rangeIn,
    }),
    dataDir: text('data', { what: 'folder that is written to', ...file }),
    redisUrl: secret({
      what: 'keeps sessions, limits and jobs for several processes',
      defaultText: 'none: kept by this one',
      example: 'a URL such as redis://127.0.0.1:6379',
      accept: redisUrlIn,
    }),
  },
  'What there is': {
    records: whole(0, { what: 'generated records to publish besides', unit: '', min: 0, max: 1_000_000 }),
    routes: oneOf(['standard', 'custom'], 'standard', { what: 'addresses of what can be read' }),
    pageSize: whole(50, { what: 'records of one page', unit: '', min: 1, max: 100 }),
    compression: oneOf(['on', 'off'], 'on', { what: 'of what is long enough' }),
    carrierUrl: secret({
      what: 'where parcels are followed',
      example: 'an http or https URL with {number} behind its host, without credentials',
      accept: numberedUrlIn,
      isFlag: true,
    }),
  },
  'What one may do': {
    readLimit: rate('120/minute', { what: 'requests of one address that are no questions' }),
    askLimit: rate('30/minute', { what: 'questions of one address' }),
    actionLimit: rate('10/minute', { what: 'actions of one address' }),
    credentialLimit: rate('10/minute', { what: 'wrong credentials of one address' }),
    tokenReadLimit: rate('120/minute', { what: 'the first, for one holder of a token' }),
    tokenAskLimit: rate('120/minute', { what: 'questions of one holder of a token' }),
    tokenActionLimit: rate('30/minute', { what: 'actions of one holder of a token' }),
    inspectLimit: rate('20/hour', { what: 'inspections that one address may begin' }),
    maxInspections: count(3, 'inspections at once'),
    maxLimitKeys: count(100_000, 'addresses that are counted at once'),
  },
  Questions: {
    maxRequestBytes: bytes(8192, 'longest question'),
    maxMcpRequestBytes: bytes(16_384, 'longest message of MCP'),
    maxAnswerTokens: count(1024, 'longest answer', 'tokens'),
    answerTimeoutMs: milliseconds(30_000, 'longest wait for an answer'),
    maxConcurrentAnswers: count(64, 'answers made at once'),
    answerCacheMs: milliseconds(300_000, 'how long an answer is kept for the next who asks the same'),
    answerCacheBytes: bytes(16_777_216, 'answers that are kept'),
    documentCacheBytes: bytes(67_108_864, 'documents that are kept'),
  },
  Sessions: {
    sessionMaxTurns: count(10, 'turns of a session'),
    sessionIdleMs: milliseconds(600_000, 'how long it lasts without a turn'),
    sessionTokenBudget: count(20_000, 'answers of a session', 'tokens'),
    tokenSessionMaxTurns: count(30, 'the same three, for the holder of a token'),
    tokenSessionIdleMs: milliseconds(1_800_000, ''),
    tokenSessionTokenBudget: count(100_000, '', 'tokens'),
    maxSessions: count(10_000, 'sessions kept in memory'),
    maxSessionBytes: bytes(67_108_864, 'what they may take'),
  },
  'Work that takes time': {
    maxJobs: count(100_000, 'jobs kept, ended ones too'),
    maxOpenJobs: count(100, 'jobs of one caller that have not ended'),
    maxConcurrentJobs: count(64, 'jobs done at once'),
    jobExpireMs: milliseconds(DAY_MS, 'when work that has not ended expires'),
    jobRetentionMs: milliseconds(DAY_MS, 'how long ended work is kept'),
    jobLeaseMs: milliseconds(30_000, 'how long a process may be silent before others do its work', 3000),
    claimMs: milliseconds(900_000, 'how long a question is left to the person who took it'),
  },
  'Results that are posted': {
    callbackSecret: secret({
      what: 'signs them',
      defaultText: 'none: visitors poll',
      example: 'whsec_ and 24 to 64 bytes in Base64',
      accept: (given) => (/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(given) ? given : undefined),
    }),
    callbackPorts: list({
      what: 'ports they may go to',
      byDefault: ['443'],
      example: '443,8443',
      accept: portIn,
    }),
    callbackPrivateHosts: list({
      what: 'hosts (HOST or HOST:PORT) that may be private',
      example: 'agents.internal:8443',
      accept: (given) => (/^[a-zA-Z0-9.:[\]_-]+$/.test(given) ? given : undefined),
    }),
    callbackCa: text(undefined, { what: 'authorities in PEM to trust instead of the usual ones', ...file }),
    callbackTimeoutMs: milliseconds(10_000, 'longest attempt'),
    maxConcurrentCallbacks: count(32, 'attempts at once'),
  },
  Running: {
    logLevel: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info', {
      what: 'what is logged, as JSON on stderr',
    }),
    metricsToken: secret({
      what: 'bearer token for /metrics',
      defaultText: 'none: this machine only',
      example: 'a text of 16 characters or more without spaces',
      accept: (given) => (/^[\x21-\x7e]{16,}$/.test(given) ? given : undefined),
    }),
    headersTimeoutMs: milliseconds(15_000, 'longest wait for the head of a request'),
    requestTimeoutMs: milliseconds(30_000, 'longest wait for a whole request'),
    maxConnections: count(10_000, 'connections at once'),
    stopGraceMs: milliseconds(10_000, 'how long requests under way may take when it is stopped'),
  },
} as const satisfies Readonly<Record<string, Partial<DeclaredSettings>>>

/** In the order in which people read them. */
export const SETTING_GROUPS: readonly SettingGroup[] = Object.entries(GROUPS).map(([title, settings]) => ({
  title,
  settings,
}))

export const SETTINGS: DeclaredSettings = {
  ...GROUPS['Where it is'],
  ...GROUPS['What there is'],
  ...GROUPS['What one may do'],
  ...GROUPS.Questions,
  ...GROUPS.Sessions,
  ...GROUPS['Work that takes time'],
  ...GROUPS['Results that are posted'],
  ...GROUPS.Running,
}
