import type { CoreRequest } from './core-message.js'
import { readBodyText } from './read-body-text.js'
import { invalidRequest, Refusal } from './refusal.js'

/** The parsed body of a request, apart from what a body can be by itself. */
export interface JsonBody {
  readonly json: unknown
}

/** Reads a JSON text in UTF-8 of at most so many bytes. */
export async function readJsonBody(request: CoreRequest, maxBytes: number): Promise<JsonBody | Refusal> {
  const text = await readBodyText(request, maxBytes)
  return text instanceof Refusal ? text : parseJson(text)
}

export function parseJson(text: string): JsonBody | Refusal {
  try {
    return { json: JSON.parse(text) as unknown }
  } catch {
    return invalidRequest('The body is not JSON in UTF-8.')
  }
}
