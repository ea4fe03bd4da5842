const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const MONTH = `(${MONTHS.join('|')})`
const TIME = String.raw`(\d{2}):(\d{2}):(\d{2})`

/** The three date forms a recipient has to accept (RFC 9110, section 5.6.7). */
const IMF_FIXDATE = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\\d{2}) ${MONTH} (\\d{4}) ${TIME} GMT$`)
const RFC850_DATE = new RegExp(
  `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\\d{2})-${MONTH}-(\\d{2}) ${TIME} GMT$`,
)
const ASCTIME_DATE = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} ([ \\d]\\d) ${TIME} (\\d{4})$`)

/**
 * The delay in milliseconds that a `Retry-After` field asks for (RFC 9110, section 10.2.3): 0 for a date in the past,
 * Infinity for more seconds than can be counted, null for anything that is neither delay-seconds nor an HTTP date.
 */
export function parseRetryAfter(value: string | null | undefined, nowMs: number): number | null {
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (/^\d+$/.test(text)) {
    const delayMs = Number(text) * 1_000
    return Number.isSafeInteger(delayMs) ? delayMs : Infinity
  }
  const dateMs = parseHttpDate(text, nowMs)
  return dateMs === null ? null : Math.max(dateMs - nowMs, 0)
}

function parseHttpDate(text: string, nowMs: number): number | null {
  const fixed = IMF_FIXDATE.exec(text)
  if (fixed) {
    const [, day, month, year, ...time] = fixed
    return utc(Number(year), month, day, time)
  }
  const rfc850 = RFC850_DATE.exec(text)
  if (rfc850) {
    const [, day, month, year, ...time] = rfc850
    return utc(fullYear(Number(year), nowMs), month, day, time)
  }
  const asctime = ASCTIME_DATE.exec(text)
  if (asctime) {
    const [, month, day, hour, minute, second, year] = asctime
    return utc(Number(year), month, day, [hour, minute, second])
  }
  return null
}

/** A two-digit year more than 50 years ahead is in the past century (RFC 9110, section 5.6.7). */
function fullYear(twoDigits: number, nowMs: number): number {
  const thisYear = new Date(nowMs).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + twoDigits
  return year > thisYear + 50 ? year - 100 : year
}

function utc(
  year: number,
  month: string | undefined,
  day: string | undefined,
  time: readonly (string | undefined)[],
): number | null {
  const [hour = 0, minute = 0, second = 0] = time.map(Number)
  const monthIndex = MONTHS.findIndex((name) => name === month)
  const date = new Date(0)
  date.setUTCFullYear(year, monthIndex, Number(day))
  const isRealDay = date.getUTCMonth() === monthIndex
  if (!isRealDay || hour > 23 || minute > 59 || second > 60) return null
  return date.getTime() + ((hour * 60 + minute) * 60 + second) * 1_000
}
