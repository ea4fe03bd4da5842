export type { ActionResultPayload, SideEffect } from './generated/messages/payload-action-result.js'
export type { AudioPayload } from './generated/messages/payload-audio.js'
export type { DataPayload } from './generated/messages/payload-data.js'
export type { DownloadPayload } from './generated/messages/payload-download.js'
export type { FeedItem, FeedPayload } from './generated/messages/payload-feed.js'
export type { Image, ImagePayload } from './generated/messages/payload-image.js'
export type { AlternateFormat, Chapter, Subtitles, VideoPayload } from './generated/messages/payload-video.js'
export type { ConverseRequest, RequestContext } from './generated/messages/request.js'
export type {
  AcceptedResponse,
  Answer,
  Callback,
  Clarification,
  ClarificationResponse,
  ConverseResponse,
  ErrorCode,
  ErrorResponse,
  ExpiredResponse,
  FailedResponse,
  FollowUp,
  PendingResponse,
  ResponseMeta,
  Source,
  SuccessResponse,
} from './generated/messages/response.js'
export { AhpMessageError, isAhpMessageError } from './messages/ahp-message-error.js'
export type { AhpMessageErrorCode } from './messages/ahp-message-error.js'
export { ERROR_STATUS } from './messages/error-status.js'
export { parseRequest } from './messages/parse-request.js'
export type { ReceivedRequest } from './messages/parse-request.js'
export { parseResponse } from './messages/parse-response.js'
export type { ParsedResponse } from './messages/parse-response.js'
export type { Payloads } from './messages/payload-kind.js'
export { validatePayload, validateRequest, validateResponse } from './messages/validate-message.js'
export type { ValidationIssue, ValidationResult } from './validation-issue.js'
