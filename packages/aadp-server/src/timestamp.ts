const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

export interface Timestamp {
  /** RFC 3339 text as it is published. */
  readonly text: string
  readonly timeMs: number
}

/** Reads a `Date` or RFC 3339 text with a zone, which is kept as written; `undefined` for anything else. */
export function readTimestamp(value: unknown): Timestamp | undefined {
  if (isDate(value)) {
    const timeMs = value.getTime()
    const year = value.getUTCFullYear()
    return Number.isNaN(timeMs) || year < 0 || year > 9999 ? undefined : { text: value.toISOString(), timeMs }
  }
  if (typeof value !== 'string') return undefined
  const match = RFC_3339.exec(value)
  if (match === null || !isCalendarDay(Number(match[1]), Number(match[2]), Number(match[3]))) return undefined
  const timeMs = Date.parse(value)
  return Number.isNaN(timeMs) ? undefined : { text: value, timeMs }
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
