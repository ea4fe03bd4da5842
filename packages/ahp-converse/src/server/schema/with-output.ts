import type { AnswerOutcome } from '../../outcome.js'
import { invalidOutcome } from '../check-outcome.js'
import type { ServedCapability } from '../served-capability.js'

type Data = Readonly<Record<string, unknown>>

/**
 * Checks the output of an answer against the output schema of its capability, and makes the payload of it where there is
 * none. Rejects with `invalid_outcome`.
 */
export async function withOutput(
  outcome: AnswerOutcome,
  { name, outputSchema }: ServedCapability,
  agreedType: string,
): Promise<AnswerOutcome> {
  if (outputSchema === undefined) return outcome
  const type = outcome.contentType ?? agreedType
  const data = outcome.output ?? outputIn(type, outcome.payload)
  if (data === undefined) throw invalidOutcome('output is missing')
  const verdict = await outputSchema.check(data)
  if (!('value' in verdict))
    throw invalidOutcome(`output does not fit the output schema: ${verdict.issues.join('; ')}`)
  const payload = payloadOf(type, name, verdict.value as Data, outcome)
  return payload === undefined ? outcome : { ...outcome, payload }
}

function outputIn(type: string, payload: Data | undefined): unknown {
  if (type === 'application/data') return payload?.['data']
  if (type === 'application/action-result') return payload?.['result']
  return payload
}

/** The payload with the output that may be given, in place of what whoever answered has put there. */
function payloadOf(
  type: string,
  action: string,
  data: Data,
  { output, payload }: AnswerOutcome,
): Data | undefined {
  if (type === 'application/data') return { ...payload, data }
  if (type === 'application/action-result') return { action, success: true, ...payload, result: data }
  if (payload === undefined) return type.startsWith('x-') ? data : undefined
  return output === undefined ? data : payload
}
