import { ERROR_STATUS, type ErrorCode } from '@doorplate/ahp-manifest/messages'
import type { Finding } from '@doorplate/conformance-kit'
import { isObject, ownMember, ownText } from '../../own-member.js'
import { rule } from '../../requirements.js'
import { described, isSentAsJson, type Reading } from '../reading.js'

/** What is wrong with the status and the form of an error. */
export function errorFindings(reading: Reading, status: number): readonly Finding[] {
  const { json, url } = reading
  const code = ownText(json, 'code')
  const finding = (message: string): readonly Finding[] => [{ requirement: rule('R-083'), url, message }]
  if (!isSentAsJson(reading))
    return finding(`Status ${status} with Content-Type ${reading.headers['content-type'] ?? 'absent'}.`)
  if (!isObject(json) || ownMember(json, 'status') !== 'error' || code === undefined)
    return finding(`${described(reading)} An error is JSON with status "error" and a code.`)
  if (!Object.hasOwn(ERROR_STATUS, code)) return finding(`The code ${code} is not one of the protocol.`)
  const expected = ERROR_STATUS[code as ErrorCode]
  const isRight = status === expected || (code === 'invalid_request' && HTTP_ONLY.has(status))
  return isRight ? [] : finding(`Status ${status} with ${code}, expected ${expected}.`)
}

/** What HTTP says of a path, method or type, and the protocol has no code for. */
const HTTP_ONLY: ReadonlySet<number> = new Set([404, 405, 406, 415])

/** Whether a refusal says how to identify oneself. */
export function challengeFindings({ headers, url }: Reading): readonly Finding[] {
  if (headers['www-authenticate'] !== undefined) return []
  return [{ requirement: rule('AUTH-002'), url, message: 'Status 401 without WWW-Authenticate.' }]
}
