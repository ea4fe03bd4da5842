import { InvalidOptionError } from '../errors.js'

/** Where an application is: an absolute http(s) URL without user name and password. Throws `invalid_option`. */
export function originUrl(origin: unknown): URL {
  const text = String(origin)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url
  const expected = 'an http or https URL such as https://books.example, without user name and password'
  throw new InvalidOptionError('origin', expected, `The origin must be ${expected}`)
}
