import type { Rate } from './kinds.js'

/** What this program does, decided before it starts. Limits of a `token` are for each holder of one, others for each address. */
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
  /** Files in PEM: https is spoken with both. Absolute paths. */
  readonly tlsCert: string | undefined
  readonly tlsKey: string | undefined
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** Whether what is long enough is compressed for those who take it. */
  readonly compression: 'on' | 'off'
  /** Whether the documents to read have addresses of this site's own beside the usual ones. */
  readonly routes: 'standard' | 'custom'
  /** Generated records that are published besides. */
  readonly records: number
  /** Records of one page of a sitemap. */
  readonly pageSize: number
  /** Where parcels are followed: the carrier's service, `{number}` being the number of one. Absent: they are not. */
  readonly carrierUrl: string | undefined

  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Bearer token for the metrics; absent: they are for this machine alone. */
  readonly metricsToken: string | undefined

  readonly readLimit: Rate
  readonly askLimit: Rate
  readonly actionLimit: Rate
  /** Wrong credentials. */
  readonly credentialLimit: Rate
  readonly tokenReadLimit: Rate
  readonly tokenAskLimit: Rate
  readonly tokenActionLimit: Rate
  /** Inspections of sites that are begun. */
  readonly inspectLimit: Rate
  readonly maxInspections: number
  readonly maxLimitKeys: number

  readonly maxRequestBytes: number
  readonly maxMcpRequestBytes: number
  readonly maxAnswerTokens: number
  readonly answerTimeoutMs: number
  readonly maxConcurrentAnswers: number
  readonly answerCacheMs: number
  readonly answerCacheBytes: number
  readonly documentCacheBytes: number

  readonly sessionMaxTurns: number
  readonly sessionIdleMs: number
  readonly sessionTokenBudget: number
  readonly tokenSessionMaxTurns: number
  readonly tokenSessionIdleMs: number
  readonly tokenSessionTokenBudget: number
  readonly maxSessions: number
  readonly maxSessionBytes: number

  readonly maxJobs: number
  readonly maxOpenJobs: number
  readonly maxConcurrentJobs: number
  readonly jobExpireMs: number
  readonly jobRetentionMs: number
  readonly jobLeaseMs: number
  /** How long a question is left to the person who took it. */
  readonly claimMs: number

  /** Secret that results are signed with when they are posted; absent: visitors are told to poll. */
  readonly callbackSecret: string | undefined
  readonly callbackPorts: readonly string[]
  /** Hosts that may be private and get results all the same. */
  readonly callbackPrivateHosts: readonly string[]
  /** File in PEM with an authority that is trusted besides. Absolute path. */
  readonly callbackCa: string | undefined
  readonly callbackTimeoutMs: number
  readonly maxConcurrentCallbacks: number

  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly maxConnections: number
  /** How long requests under way may take when the program ends. */
  readonly stopGraceMs: number
}
