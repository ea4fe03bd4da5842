import { isAhpMessageError, parseRequest, type ReceivedRequest } from '@doorplate/ahp-manifest/messages'
import type { ServedCapability } from './served-capability.js'
import { Refusal } from './refusal.js'

/** A request that can be understood, and the capability that it asks. */
export interface Question {
  readonly request: ReceivedRequest
  readonly capability: ServedCapability
}

/** Reads the parsed body of a request. Nothing of the site has run before. */
export function readQuestion(
  data: unknown,
  capabilities: ReadonlyMap<string, ServedCapability>,
): Question | Refusal {
  const request = parse(data)
  if (request instanceof Refusal) return request
  const capability = capabilities.get(request.capability)
  if (capability !== undefined) return { request, capability }
  return new Refusal({
    code: 'unknown_capability',
    message: 'The site has no capability of this name.',
    available_capabilities: [...capabilities.keys()],
  })
}

function parse(data: unknown): ReceivedRequest | Refusal {
  try {
    return parseRequest(data)
  } catch (error) {
    if (!isAhpMessageError(error) || error.code === 'invalid_response') throw error
    return new Refusal({ code: error.code, message: error.message })
  }
}
