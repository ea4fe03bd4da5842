const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

export interface Timestamp {
  /** RFC 3339 text as it is published. */
  readonly text: string
  readonly timeMs: number
}

/** Reads a `Date` or RFC 3339 text with a zone, which is kept as written; `undefined` for anything else. */
export function readTimestamp(value: unknown): Timestamp | undefined {
  if (isDate(value)) {
    const timeMs = value.getTime()
    return isWritable(timeMs) ? { text: value.toISOString(), timeMs } : undefined
  }
  if (typeof value !== 'string') return undefined
  const match = RFC_3339.exec(value)
  if (match === null || !isCalendarDay(Number(match[1]), Number(match[2]), Number(match[3]))) return undefined
  const timeMs = match[4] === '60' ? parseLeapSecond(value) : Date.parse(value)
  return isWritable(timeMs) ? { text: value, timeMs } : undefined
}

/** True for a `Date` of any realm. */
export function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]'
}

/** `Date.parse` would move 30 February to March. */
function isCalendarDay(year: number, month: number, day: number): boolean {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** RFC 3339 has a leap second only at the end of a day in UTC; `Date` counts it as the first second of the next. */
function parseLeapSecond(text: string): number {
  const before = new Date(text.replace(':60', ':59'))
  return before.getUTCHours() === 23 && before.getUTCMinutes() === 59 ? before.getTime() + 1000 : NaN
}

/** RFC 3339 has years of four digits, also for the same moment in UTC. */
function isWritable(timeMs: number): boolean {
  const year = new Date(timeMs).getUTCFullYear()
  return year >= 0 && year <= 9999
}
