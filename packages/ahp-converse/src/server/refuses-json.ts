/** From the most to the least specific: the first that an `Accept` names decides (RFC 9110 section 12.5.1). */
const RANGES = ['application/json', 'application/*', '*/*']

/**
 * True when JSON is named as not acceptable, by a weight of zero. A visitor that only names other types gets JSON: it is all
 * there is, and most clients send some `Accept` without meaning it.
 */
export function refusesJson(accept: string | null): boolean {
  if (accept === null || !/;\s*q=0(?:\.0{0,3})?\s*(?:[,;]|$)/i.test(accept)) return false
  const weights = new Map(accept.split(',').map(readMember))
  const decisive = RANGES.find((range) => weights.has(range))
  return decisive !== undefined && weights.get(decisive) === 0
}

function readMember(member: string): [range: string, weight: number] {
  const [range = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  return [range, Number.parseFloat(weight)]
}
