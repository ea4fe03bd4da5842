import { isAhpMessageError, parseRequest, type ReceivedRequest } from '@doorplate/ahp-manifest/messages'
import { LRUCache } from 'lru-cache'
import { questionKey } from './cache/answer-key.js'
import { type AgreedType, negotiateType } from './negotiate-type.js'
import { parseJson } from './read-json-body.js'
import { invalidRequest, Refusal } from './refusal.js'
import type { ServedCapability } from './served-capability.js'

/** A request that can be understood, and what follows from it alone. */
export interface Question {
  readonly request: ReceivedRequest
  readonly capability: ServedCapability
  /** The type of its answer, or why there is none. */
  readonly agreed: AgreedType | Refusal
  /** Of one whose answer may be kept: what of it shapes the answer. */
  readonly key: string | undefined
}

/** Reads requests. Nothing of the site has run before. */
export interface QuestionReader {
  /** Reads a parsed body. */
  read(json: unknown): Question | Refusal
  /** Reads the text of a body. One whose answer may be kept is not read again when it comes again, byte for byte. */
  readText(text: string): Question | Refusal
}

/** Texts remembered, and their characters together. */
const REMEMBERED = { max: 2000, maxSize: 1_000_000 }

/** @param maxTokens the most that the site allows the answer to a first question */
export function createQuestionReader(
  capabilities: ReadonlyMap<string, ServedCapability>,
  maxTokens: number,
): QuestionReader {
  const remembered = new LRUCache<string, Question>({
    ...REMEMBERED,
    sizeCalculation: (_question, text) => text.length,
  })

  function read(json: unknown): Question | Refusal {
    const request = parse(json)
    if (request instanceof Refusal) return request
    if (holdsInfinity(request.input)) return invalidRequest('input: a number is too large.')
    const capability = capabilities.get(request.capability)
    if (capability === undefined)
      return new Refusal({
        code: 'unknown_capability',
        message: 'The site has no capability of this name.',
        available_capabilities: [...capabilities.keys()],
      })
    const agreed = negotiateType(capability, request.context.accept_types)
    const mayBeKept = capability.isCacheable && !(agreed instanceof Refusal)
    const key = mayBeKept ? questionKey(request, agreed, maxTokens) : undefined
    return { request, capability, agreed, key }
  }

  return {
    read,
    readText(text) {
      const known = remembered.get(text)
      if (known !== undefined) return known
      const body = parseJson(text)
      if (body instanceof Refusal) return body
      const question = read(body.json)
      if (!(question instanceof Refusal) && mayBeRemembered(question)) remembered.set(text, question)
      return question
    },
  }
}

/** Neither what whoever answers could change, which is an object, nor a secret. */
function mayBeRemembered({ request: { input, auth }, key }: Question): boolean {
  return key !== undefined && input === undefined && auth === undefined
}

/** Whether a number in it is none that JSON can write: where it is kept or compared as text, it would be the same as null. */
function holdsInfinity(input: unknown): boolean {
  const found = new Set([input])
  for (const value of found) {
    if (typeof value === 'number' && !Number.isFinite(value)) return true
    if (typeof value === 'object' && value !== null)
      for (const member of Object.values(value)) found.add(member)
  }
  return false
}

function parse(data: unknown): ReceivedRequest | Refusal {
  try {
    return parseRequest(data)
  } catch (error) {
    if (!isAhpMessageError(error) || error.code === 'invalid_response') throw error
    return new Refusal({ code: error.code, message: error.message })
  }
}
