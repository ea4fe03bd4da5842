import type { ErrorCode } from '../generated/messages/response.js'

/** The HTTP status of each error code (specification, "Errors"). */
export const ERROR_STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid_request: 400,
  unknown_capability: 400,
  missing_field: 400,
  unsupported_type: 400,
  auth_required: 401,
  forbidden: 403,
  request_too_large: 413,
  rate_limited: 429,
  concierge_error: 500,
  unavailable: 503,
}
