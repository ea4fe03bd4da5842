import type { ConverseResponse, SuccessResponse } from '@doorplate/ahp-manifest/messages'

/** Of kept answers, which are sent again and again: all but what stands before. */
const tails = new WeakMap<SuccessResponse['response'], string>()

/** The JSON text of a reply. */
export function replyText(reply: ConverseResponse): string {
  if (reply.status !== 'success' || reply.meta?.cached !== true) return JSON.stringify(reply)
  const { status, session_id, response, ...rest } = reply
  let tail = tails.get(response)
  if (tail === undefined) {
    tail = `,${JSON.stringify({ ...rest, response }).slice(1)}`
    tails.set(response, tail)
  }
  return JSON.stringify({ status, session_id }).slice(0, -1) + tail
}
