import type { ContentSignals, Integration, LlmsTxtContent } from '@doorplate/ahp-manifest'
import type { Answerer } from '../outcome.js'
import type { AnswerCacheOptions } from './cache/answer-cache.js'
import type { CallbackOptions } from './callbacks/callback-options.js'
import type { VerifyCredential } from './credential.js'
import type { Face } from './face.js'
import type { FaultListener } from './fault.js'
import type { IdentifyAgent } from './identify-agent.js'
import type { JobOptions } from './jobs/job-options.js'
import type { HealthOptions } from './observe/health.js'
import type { Logger } from './observe/logger.js'
import type { Observer } from './observe/site-event.js'
import type { RateLimitOptions } from './limits/rate-limit-options.js'
import type { InboxOptions } from './operators/inbox-options.js'
import type { RandomBytes } from './sessions/session-id.js'
import type { SchemaOption } from './schema/data-schema.js'
import type { ActionType } from './served-capability.js'
import type { SessionOptions } from './sessions/session-options.js'

/** What a site declares to be asked. Objects named as in the manifest have the shape of the manifest. */
export interface ConciergeConfig {
  /** At most 128 characters. */
  readonly name: string
  /** At most 512 characters. */
  readonly description?: string
  /** The public origin of the site, such as `https://books.example`. Never derived from a request. */
  readonly publicUrl: string
  /** All four: what is not stated is neither allowed nor refused. */
  readonly contentSignals: Readonly<Required<ContentSignals>>
  /** By name: `[a-z][a-z0-9_]*`, at most 64 characters. */
  readonly capabilities: Readonly<Record<string, CapabilityConfig>>
  /** Answers for every capability that has no `answer` of its own. */
  readonly knowledge?: KnowledgeSource
  /** What agents read first: Markdown served at `paths.content`, or where it is served already. Default: made from `knowledge`. */
  readonly content?: string | { readonly url: string }
  readonly paths?: PathsConfig
  readonly links?: Readonly<Record<string, string>>
  /** Other protocols that lead to the same answers, such as `mcpFace()` and `openApiFace()`; each is declared among the integrations. Default: none. */
  readonly faces?: readonly Face[]
  readonly integrations?: Readonly<Record<string, Readonly<Integration>>>
  /** Leaves `integrations` out of the manifest, which the schema published with the draft refuses. Default: false. */
  readonly schema01Strict?: boolean
  /** Checks a credential. Without it credentials are ignored, and no capability can ask for one. */
  readonly verify?: VerifyCredential
  /** The scheme that the manifest names; both are taken. Default: `bearer` as soon as a capability asks for it. */
  readonly authentication?: 'bearer' | 'api_key'
  /** Origins whose pages may ask and read the answers; `*` for all. Default: none. Manifest and content are open to all. */
  readonly allowOrigins?: readonly string[]
  /** How often one caller may ask. Default: as `RateLimitOptions` says, counted in this process. */
  readonly limits?: RateLimitOptions
  /** How long conversations are. Default: as `SessionOptions` says, kept in this process. */
  readonly sessions?: SessionOptions
  /** Answers kept for strangers who ask the same first question; `false` for none. */
  readonly cache?: AnswerCacheOptions | false
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` is believed. Default: none. */
  readonly trustedProxies?: readonly string[]
  /** Longest body of a request, bytes. Default: 8,192. */
  readonly maxRequestBytes?: number
  /** Most tokens of an answer, whatever the visitor asks for. Default: 1,024. */
  readonly maxAnswerTokens?: number
  /** Longest wait for an answer, milliseconds. Default: 30,000. */
  readonly answerTimeoutMs?: number
  /** Answers being made at once; more are refused with `unavailable`. Default: 64. */
  readonly maxConcurrentAnswers?: number
  /** How long manifest and content may be kept, seconds. Default: 3,600. */
  readonly maxAgeSeconds?: number
  /** What acts, and what is answered later. Default: kept in the memory of the process. */
  readonly jobs?: JobOptions
  /** How questions wait for people. Default: as `InboxOptions` says, and nobody is told. */
  readonly inbox?: InboxOptions
  /** Results are posted to visitors that ask for it. Default: they are told to poll. */
  readonly callbacks?: CallbackOptions
  /** Tells which agent signed a request (Web Bot Auth). Default: what agents say they are stays a claim. */
  readonly identifyAgent?: IdentifyAgent
  /** Is given a line for each request, question and fault, such as pino. None has what a visitor wrote, was answered or could be known by. */
  readonly logger?: Logger
  /** Is told what happens, for counters: each request, question, job, callback and fault. Default: nobody is told. */
  readonly observe?: Observer
  /** Serves liveness and readiness; `{}` for the defaults. Default: not served. */
  readonly health?: HealthOptions
  /** Told of every fault of the site's own. Default: prints a line of it, where there is no `logger`. */
  readonly onError?: FaultListener
  /** Clock, milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number
  /** Fills an array with random bytes, for the ids of sessions. Default: `crypto.getRandomValues`. */
  readonly random?: RandomBytes
}

/** One thing the concierge can do. */
export interface CapabilityConfig {
  /** At most 256 characters. */
  readonly description: string
  readonly mode: 'MODE1' | 'MODE2' | 'MODE3'
  /** The preferred one first. Default: `text/answer`; in MODE3 `application/data`, of an action `application/action-result`, before it. */
  readonly responseTypes?: readonly string[]
  /** Whether agents that take none of the types get a description as `text/answer`. Default: false. */
  readonly acceptFallback?: boolean
  /** Default: `knowledge`. */
  readonly answer?: Answerer
  /** Whether callers must prove who they are. Default: `none`; `required` where there are scopes, and always for actions and async. */
  readonly auth?: 'none' | 'required'
  /** What a caller must all have. */
  readonly scopes?: readonly string[]
  /** Whether answers to strangers may be kept for the next who ask the same. Default: true where `knowledge` answers. */
  readonly cache?: boolean
  /** MODE3 only, and needed there: `query` reads, `action` changes something, `async` is answered later. */
  readonly actionType?: ActionType
  /** Needed in MODE3. Input is checked against it before anything else of the site runs. */
  readonly inputSchema?: SchemaOption
  /** Needed in MODE3. The output of every answer is checked against it. */
  readonly outputSchema?: SchemaOption
  /** Whether a visitor must say what it is for, in `context.user_intent`. Default: false. */
  readonly requireIntent?: boolean
  /**
   * How long a visitor is kept waiting before it gets `accepted` and polls, milliseconds; 0 for at once. Default: 10,000 for
   * actions, 0 for async; others are answered or not.
   */
  readonly acceptAfterMs?: number
  /** How long the work takes, as visitors are told who wait for it. Default: 60. */
  readonly etaSeconds?: number
  /** When this work expires if it has not ended, milliseconds. Default: `jobs.expireAfterMs`. */
  readonly expireAfterMs?: number
  /**
   * Whether work that was interrupted after it had begun is begun again, with the same `idempotencyKey`; otherwise it has
   * failed. Default: true for queries, false for actions and async: then nothing is done twice.
   */
  readonly restartable?: boolean
}

/** Where the concierge answers, as paths on its origin. */
export interface PathsConfig {
  /** Default: `/agent/converse`. */
  readonly converse?: string
  /** Default: `/llms.txt`. */
  readonly content?: string
}

/** What `createKnowledge` makes; anything of this shape will do. */
export interface KnowledgeSource {
  readonly answer: Answerer
  /** Another number with every change: answers kept from before are then not given again. */
  readonly revision?: number
  /** What llms.txt lists. Default: nothing but how to ask. */
  readonly llmsTxtContent?: () => LlmsTxtContent
}
