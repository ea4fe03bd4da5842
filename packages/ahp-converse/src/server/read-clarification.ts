import type { ReceivedRequest } from '@doorplate/ahp-manifest/messages'
import type { TurnClarification } from '../turn.js'
import { invalidRequest, type Refusal } from './refusal.js'
import type { OpenQuestion } from './sessions/stored-session.js'

/**
 * The reply to an open question; undefined in a request that does not reply, which leaves the question behind. One of the
 * options is recognised whatever its case.
 */
export function readClarification(
  { capability, clarification }: ReceivedRequest,
  open: OpenQuestion | undefined,
): TurnClarification | Refusal | undefined {
  if (clarification === undefined) return undefined
  if (open === undefined)
    return invalidRequest('clarification: the session has asked nothing. Send a query of its own.')
  if (open.capability !== capability)
    return invalidRequest('clarification: the question was asked by another capability of the session.')
  const { question, options, freeForm } = open
  const reply = clarification.trim()
  const option = options.find((text) => text.toLowerCase() === reply.toLowerCase())
  if (option !== undefined) return { question, options, reply: option }
  if (freeForm && reply !== '') return { question, options, reply }
  return invalidRequest(`clarification: must be one of ${JSON.stringify(options)}.`)
}
