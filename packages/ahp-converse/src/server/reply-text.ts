import type { Answer, ConverseResponse } from '@doorplate/ahp-manifest/messages'

/** Of kept answers, which are sent again and again. */
const texts = new WeakMap<Answer, string>()

/** The JSON text of a reply. */
export function replyText(reply: ConverseResponse): string {
  if (reply.status !== 'success' || reply.meta?.cached !== true) return JSON.stringify(reply)
  const { response, ...rest } = reply
  return `${JSON.stringify(rest).slice(0, -1)},"response":${answerText(response)}}`
}

function answerText(answer: Answer): string {
  const known = texts.get(answer)
  if (known !== undefined) return known
  const text = JSON.stringify(answer)
  texts.set(answer, text)
  return text
}
