export type { AnswerCacheOptions } from './server/cache/answer-cache.js'
export type {
  CapabilityConfig,
  ConciergeConfig,
  KnowledgeSource,
  PathsConfig,
} from './server/concierge-config.js'
export type { ConverseCall } from './server/converse-call.js'
export type { ConverseReply } from './server/reply-of.js'
export type { CoreRequest, CoreResponse } from './server/core-message.js'
export type { Credential, VerifyCredential } from './server/credential.js'
export { defineConcierge } from './server/define-concierge.js'
export type { Concierge, SiteCounts } from './server/define-concierge.js'
export type { HealthCheck, HealthOptions, Readiness } from './server/observe/health.js'
export type { LogFields, Logger, LogMethod } from './server/observe/logger.js'
export type {
  CallbackEvent,
  FaultEvent,
  JobEvent,
  Observer,
  QuestionEvent,
  RequestEvent,
  SiteEvent,
} from './server/observe/site-event.js'
export type { Face, FaceExchange, FaceSite, OpenFace } from './server/face.js'
export type { Fault, FaultListener, FaultStage } from './server/fault.js'
export type { Refused } from './server/respond.js'
export type { ConnectionInfo } from './server/fetch-handler.js'
export type { Caller } from './server/identify-caller.js'
export type { KeyvLike } from './server/keyv-like.js'
export type { RateLimitOptions, TierRates } from './server/limits/rate-limit-options.js'
export type { RateText } from './server/limits/rate.js'
export type { RateCount, RateStore } from './server/limits/rate-store.js'
export { createKeyvSessionStore } from './server/sessions/keyv-session-store.js'
export type { SessionLimits, SessionOptions } from './server/sessions/session-options.js'
export type { SessionStore, SessionWrite } from './server/sessions/session-store.js'
export type { OpenQuestion, StoredSession } from './server/sessions/stored-session.js'
export type {
  CallbackDelivery,
  CallbackOptions,
  CallbackTransport,
} from './server/callbacks/callback-options.js'
export type { IdentifyAgent, SignedRequest, VerifiedAgent } from './server/identify-agent.js'
export type { JobOptions } from './server/jobs/job-options.js'
export type {
  JobAdded,
  JobChange,
  JobClaim,
  JobCount,
  JobLease,
  JobLimits,
  JobStore,
} from './server/jobs/job-store.js'
export { createMemoryJobStore } from './server/jobs/memory-job-store.js'
export type {
  Idempotency,
  JobCallback,
  JobOperator,
  JobProgress,
  JobQueue,
  JobResult,
  JobState,
  StoredJob,
  StoredTurn,
} from './server/jobs/stored-job.js'
export type { InboxOptions, Notify } from './server/operators/inbox-options.js'
export type { Operator } from './server/operators/operator.js'
export type { OperatorInbox, OperatorOptions } from './server/operators/operator-inbox.js'
export type { Ticket, TicketClaim, TicketEvent, TicketListener } from './server/operators/ticket.js'
export type { SchemaOption } from './server/schema/data-schema.js'
export type { JsonSchema } from './server/schema/json-schema.js'
export { createSecretVerifier, sameSecret } from './server/secrets.js'
export type { IssuedSecret } from './server/secrets.js'
