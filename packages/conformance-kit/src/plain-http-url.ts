/** An absolute http or https URL without user name and password, which no request could carry. */
export function isPlainHttpUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

/** The origin of such a URL, given as text or parsed; undefined for anything else. */
export function plainHttpOrigin(value: unknown): string | undefined {
  const text = value instanceof URL ? value.href : value
  return isPlainHttpUrl(text) ? new URL(text).origin : undefined
}
