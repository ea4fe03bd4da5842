import type { CoreRequest, CoreResponse } from './core-message.js'
import { mergedFields } from './merged-fields.js'
import type { Refusal } from './refusal.js'
import { isKnown, type ServedDocument } from './served-document.js'

type Headers = Readonly<Record<string, string>>

const JSON_FIELDS: Headers = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

export function sendJson(status: number, headers: Headers, body: object): CoreResponse {
  return sendJsonText(status, headers, JSON.stringify(body))
}

export function sendJsonText(status: number, headers: Headers, body: string): CoreResponse {
  return { status, headers: mergedFields(headers, JSON_FIELDS), body }
}

export function sendRefusal({ status, headers, body }: Refusal, common: Headers = {}): CoreResponse {
  return sendJson(status, mergedFields(common, headers), body)
}

export function sendDocument(
  request: CoreRequest,
  document: ServedDocument,
  common: Headers = {},
): CoreResponse {
  if (isKnown(document, request.header('if-none-match')))
    return { status: 304, headers: mergedFields(common, document.validators), body: null }
  return { status: 200, headers: mergedFields(common, document.headers), body: document.body }
}
