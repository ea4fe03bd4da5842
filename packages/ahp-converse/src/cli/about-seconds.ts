const DAY = 86_400

/** A time that a site has named, for people. */
export function aboutSeconds(seconds: number): string {
  return seconds <= DAY ? `about ${Math.max(Math.ceil(seconds), 0)} s` : 'more than a day'
}
