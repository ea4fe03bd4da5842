/**
 * A URL without fragment in which a query parameter has one value, at the place of the first that there was. All else stays as it
 * is written: `URLSearchParams` would spell it anew, and the signature of a signed URL would no longer fit.
 */
export function withQueryParameter(href: string, name: string, value: string): string {
  const mark = href.indexOf('?')
  const path = mark < 0 ? href : href.slice(0, mark)
  const query = mark < 0 ? '' : href.slice(mark + 1)
  const members = query === '' ? [] : query.split('&')
  const isReplaced = (member: string): boolean => new URLSearchParams(member).has(name)
  const kept = members.filter((member) => !isReplaced(member))
  const place = members.findIndex(isReplaced)
  kept.splice(place < 0 ? kept.length : place, 0, new URLSearchParams([[name, value]]).toString())
  return `${path}?${kept.join('&')}`
}
