import type { AnswerReply, FinalReply, Reply } from '../client.js'
import { aboutSeconds } from './about-seconds.js'
import { columns, plainLine, plainText } from './plain-text.js'

/** What became of a question, for people. */
export function describeReply(reply: Reply | FinalReply): string {
  switch (reply.status) {
    case 'success':
      return describeAnswer(reply)
    case 'clarification_needed':
      return `${plainLine(reply.question)}\n${choices(reply.options)}`
    case 'accepted':
      return `The answer will come later${etaOf(reply.etaSeconds)}.\n`
    case 'error':
      return `${plainLine(`${reply.code}: ${reply.message}`)}\n${alternatives(reply)}`
    case 'failed':
    case 'expired':
      return `${plainLine(reply.message === '' ? reply.status : `${reply.status}: ${reply.message}`)}\n`
  }
}

/** Numbered, to be chosen from. */
export function choices(texts: readonly string[]): string {
  return columns(texts.map((text, index) => [String(index + 1), plainLine(text)]))
}

function describeAnswer({ answer, contentType, payload, sources, contentSignals }: AnswerReply): string {
  const named = sources.map(({ title, url }) => [plainLine(title ?? ''), url])
  return [
    `${plainText(answer)}\n`,
    payload === undefined
      ? ''
      : `\n${plainLine(contentType)}\n${plainText(JSON.stringify(payload, null, 2))}\n`,
    named.length === 0 ? '' : `\nSources\n${columns(named)}`,
    contentSignals.attribution_required === true ? '\nThe site asks to be named where this is used.\n' : '',
  ].join('')
}

function etaOf(seconds: number | undefined): string {
  return seconds === undefined ? '' : `, in ${aboutSeconds(seconds)}`
}

function alternatives({
  availableCapabilities,
  availableTypes,
}: Extract<Reply, { status: 'error' }>): string {
  const offered = [...availableCapabilities, ...availableTypes]
  return offered.length === 0 ? '' : `There is ${plainLine(offered.join(', '))}.\n`
}

/** The same as data. */
export function replyData(reply: Reply | FinalReply): object {
  const { session, ...data } = reply
  return { ...data, sessionId: session.id }
}
