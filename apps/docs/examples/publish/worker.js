import { aadp } from './site.js'

export default {
  /** @param {Request} request */
  fetch(request) {
    if (aadp.matches(request.url)) return aadp.handleRequest(request)
    return new Response('My own pages')
  },
}
