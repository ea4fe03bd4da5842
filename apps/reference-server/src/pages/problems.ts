import { html } from '../html.js'
import { pageResponse } from '../site-response.js'
import { problemPage } from './problem-page.js'

export function notFound(): Response {
  return pageResponse(404, problemPage('Nothing here', 'There is no page at this address.'))
}

/** For a request that failed through no fault of its sender. */
export function failure(): Response {
  const explanation = 'This server could not make the page. Please try again.'
  return pageResponse(500, problemPage('Something went wrong', explanation))
}

/** For a page that is there, asked for in a way that it is not for. */
export function methodNotAllowed(allowed: readonly string[]): Response {
  const response = pageResponse(405, problemPage('Not possible', 'This page is not used like this.'))
  response.headers.set('allow', allowed.join(', '))
  return response
}

/** For a form that was sent from elsewhere, or from this site under an address that it does not know as its own. */
export function foreignForm(origin: string): Response {
  const explanation = html`Forms are taken from the pages at <a href="${origin}/">${origin}</a> alone. Where
    this site has another address, whoever runs it gives it as <code>PUBLIC_URL</code>.`
  return pageResponse(403, problemPage('Not possible', explanation))
}

export function longForm(): Response {
  return pageResponse(413, problemPage('Not possible', 'That is too long for a form of this site.'))
}

/** For somebody whose address has tried too many passwords. */
export function tooManyAttempts(retryAfterSeconds: number): Response {
  const minutes = Math.ceil(retryAfterSeconds / 60)
  const explanation = `Too many wrong passwords came from your address. Try again in ${String(minutes)} ${minutes === 1 ? 'minute' : 'minutes'}.`
  const response = pageResponse(429, problemPage('Not now', explanation))
  response.headers.set('retry-after', String(retryAfterSeconds))
  return response
}
