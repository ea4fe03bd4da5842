/** One member of `Accept` or `Accept-Language` with its weight from 0 to 1. */
export interface QualityValue {
  /** Lower case. */
  readonly value: string
  readonly quality: number
}

const MAX_MEMBERS = 32
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i

/** The members of a weighted list (RFC 9110 section 12.4.2) in the order they are written; what is malformed is skipped. */
export function parseQualityValues(fieldValue: string): QualityValue[] {
  return fieldValue.split(',', MAX_MEMBERS).flatMap((member) => parseMember(member) ?? [])
}

function parseMember(member: string): QualityValue | undefined {
  const [value = '', ...parameters] = member.split(';').map((part) => part.trim())
  if (value === '' || /[\t ]/.test(value)) return undefined
  const weight = parameters.find((parameter) => /^q=/i.test(parameter))
  const quality = weight === undefined ? 1 : Number(WEIGHT.exec(weight)?.[1])
  return Number.isNaN(quality) ? undefined : { value: value.toLowerCase(), quality }
}
