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

export function badForm(status: 403 | 413): Response {
  const explanation = 'A form of this site is sent from its own page, and is short.'
  return pageResponse(status, problemPage('Not possible', explanation))
}
