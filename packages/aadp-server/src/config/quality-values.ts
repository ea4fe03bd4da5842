/** One member of `Accept` or `Accept-Language` with its weight from 0 to 1. */
export interface QualityValue {
  /** Lower case. */
  readonly value: string
  readonly quality: number
}

const MAX_MEMBERS = 32
/** The value, its weight where a good one comes first, and the other parameters. */
const MEMBER = /^[\t ]*([^;,\t ]+)[\t ]*(?:;[\t ]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[\t ]*)?(?:;(.*))?$/i
const LATER_WEIGHT = /(?:^|;)[\t ]*q=([^;]*)/i
const QVALUE = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[\t ]*$/

/** The members of a weighted list (RFC 9110 section 12.4.2) in the order they are written; what is malformed is skipped. */
export function parseQualityValues(fieldValue: string): QualityValue[] {
  const members: QualityValue[] = []
  for (const text of fieldValue.split(',', MAX_MEMBERS)) {
    const match = MEMBER.exec(text)
    if (match === null) continue
    const quality = Number(match[2] ?? weightIn(match[3]))
    if (!Number.isNaN(quality)) members.push({ value: (match[1] ?? '').toLowerCase(), quality })
  }
  return members
}

/** `undefined` for a weight that is malformed. */
function weightIn(parameters: string | undefined): string | undefined {
  const weight = parameters === undefined ? undefined : LATER_WEIGHT.exec(parameters)?.[1]
  return weight === undefined ? '1' : QVALUE.exec(weight)?.[0]
}
