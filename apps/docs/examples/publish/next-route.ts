import { aadp } from './site.js'

// #region handlers
const handle = (request: Request): Promise<Response> => aadp.handleRequest(request)
export {
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as POST,
  handle as PUT,
  handle as PATCH,
  handle as DELETE,
}
export const dynamic = 'force-dynamic'
// #endregion handlers
