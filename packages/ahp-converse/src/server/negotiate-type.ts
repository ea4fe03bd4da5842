import { Refusal } from './refusal.js'

const TEXT = 'text/answer'

/** The response type agreed with a visitor. */
export interface AgreedType {
  readonly contentType: string
  /** The type that a visitor would get that takes it. */
  readonly fallbackFrom?: string
}

export interface TypeOffer {
  /** At least one, the preferred one first. */
  readonly responseTypes: readonly string[]
  readonly acceptFallback: boolean
}

/**
 * Of the types both sides name, the one the visitor prefers (specification, "Types and payloads"). A wildcard stands for
 * the first declared type that it covers. A visitor that says nothing gets text where there is text, else the first type.
 */
export function negotiateType(
  { responseTypes, acceptFallback }: TypeOffer,
  acceptTypes: readonly string[] | undefined,
): AgreedType | Refusal {
  const [first = TEXT] = responseTypes
  if (acceptTypes === undefined) {
    if (responseTypes.includes(TEXT)) return { contentType: TEXT }
    return acceptFallback ? { contentType: TEXT, fallbackFrom: first } : { contentType: first }
  }
  for (const accepted of acceptTypes) {
    const common = responseTypes.find((type) => covers(accepted, type))
    if (common !== undefined) return { contentType: common }
  }
  if (acceptFallback) return { contentType: TEXT, fallbackFrom: first }
  const message = 'This capability answers in none of the accepted types.'
  return new Refusal({ code: 'unsupported_type', message, available_types: [...responseTypes] })
}

function covers(accepted: string, type: string): boolean {
  if (accepted === type || accepted === '*/*' || accepted === '*') return true
  return accepted.endsWith('/*') && type.startsWith(accepted.slice(0, -1))
}
