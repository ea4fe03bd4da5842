export { ConverseError, isConverseError } from './converse-error.js'
export type { ConverseErrorCode, ConverseErrorOptions, VisitErrorCode } from './converse-error.js'
export { createCallbackReceiver } from './client/callback-receiver.js'
export type { CallbackReceiver, CallbackReceiverOptions } from './client/callback-receiver.js'
export type { ContentUse, StatedSignals } from './client/content-use.js'
export type {
  AcceptedReply,
  AnswerInWords,
  AnswerReply,
  AskedQuestion,
  AskOptions,
  CitedSource,
  ClarificationReply,
  ErrorReply,
  ExpiredReply,
  ExtensionAnswer,
  FailedReply,
  FinalReply,
  JobHandle,
  JobOptions,
  PendingState,
  QuestionOptions,
  RegisteredAnswer,
  Reply,
  ReplyOptions,
  Session,
  TextAnswer,
  WaitOptions,
} from './client/reply.js'
export type { RateLimitState, ReadResponse } from './client/read-response.js'
export type { Site, SiteContent } from './client/site.js'
export type { Sleep } from './client/sleep.js'
export type { FetchLike } from './client/transport.js'
export type { UntrustedText } from './client/untrusted-text.js'
export { visit } from './client/visit.js'
export type { Credential, DiscoveryMechanism, RetryOptions, VisitOptions } from './client/visit-options.js'
