const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const MONTH = `(${MONTHS.join('|')})`
const TIME = '([01]\\d|2[0-3]):([0-5]\\d):([0-5]\\d|60)'
const IMF_FIXDATE = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\\d\\d) ${MONTH} (\\d{4}) ${TIME} GMT$`)
const RFC_850 = new RegExp(
  `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\\d\\d)-${MONTH}-(\\d\\d) ${TIME} GMT$`,
)
const ASCTIME = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} ([ \\d]\\d) ${TIME} (\\d{4})$`)

/** The preferred form of an HTTP-date, in whole seconds (RFC 9110 section 5.6.7). */
export function formatHttpDate(timeMs: number): string {
  return new Date(timeMs).toUTCString()
}

/** The first whole second after a moment: no date sent up to that moment is as late. */
export function secondAfter(timeMs: number): number {
  return (Math.floor(timeMs / 1000) + 1) * 1000
}

/** Reads the three forms of an HTTP-date; `undefined` for anything else. @param nowMs decides the century of RFC 850 */
export function parseHttpDate(text: string, nowMs: number): number | undefined {
  const fixed = IMF_FIXDATE.exec(text)
  if (fixed !== null) {
    const [, day, month, year, ...time] = fixed
    return utc(Number(year), month, day, time)
  }
  const short = RFC_850.exec(text)
  if (short !== null) {
    const [, day, month, yearOfCentury, ...time] = short
    return utc(nearestYear(Number(yearOfCentury), nowMs), month, day, time)
  }
  const ansi = ASCTIME.exec(text)
  if (ansi !== null) {
    const [, month, day, hour, minute, second, year] = ansi
    return utc(Number(year), month, day, [hour, minute, second])
  }
  return undefined
}

/** A two-digit year that seems more than 50 years ahead is in the past. */
function nearestYear(yearOfCentury: number, nowMs: number): number {
  const thisYear = new Date(nowMs).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + yearOfCentury
  return year > thisYear + 50 ? year - 100 : year
}

function utc(
  year: number,
  month: string | undefined,
  day: string | undefined,
  time: readonly (string | undefined)[],
): number | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, MONTHS.indexOf(month ?? ''), Number(day))
  if (date.getUTCDate() !== Number(day)) return undefined
  const [hour, minute, second] = time.map(Number)
  return date.setUTCHours(hour ?? 0, minute ?? 0, second ?? 0)
}
