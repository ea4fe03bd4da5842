/** One member of `Accept` or `Accept-Language` with its weight from 0 to 1. */
export interface QualityValue {
  /** Lower case. */
  readonly value: string
  readonly quality: number
}

const MAX_MEMBERS = 32
const MEMBER = /^[\t ]*([^;,\t ]+)[\t ]*(?:;.*?)??(?:;[\t ]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[\t ]*)?$/i

/** The members of a weighted list (RFC 9110 section 12.4.2) in the order they are written; what is malformed is skipped. */
export function parseQualityValues(fieldValue: string): QualityValue[] {
  return fieldValue
    .split(',', MAX_MEMBERS)
    .map((member) => MEMBER.exec(member))
    .filter((match) => match !== null)
    .map((match) => ({ value: (match[1] ?? '').toLowerCase(), quality: Number(match[2] ?? 1) }))
}
