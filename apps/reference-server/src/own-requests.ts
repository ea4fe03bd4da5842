import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Concierge, CoreRequest } from '@doorplate/ahp-converse/server'
import type { DemoTokens } from './demo-tokens.js'

/** The field by which this server knows what its own inspector asks it. */
export const OWN_REQUEST = 'x-doorplate-own'

/** Nobody's (RFC 6666): no visitor is counted under it. */
const OWN_ADDRESS = '100::1'

/** The value of the field; all processes with these tokens know it, and nobody else. */
export function ownRequestProof({ site }: Pick<DemoTokens, 'site'>): string {
  return createHmac('sha256', site).update('own request').digest('base64url')
}

/** What this server asks itself, from wherever that comes, uses up the limits of no visitor. */
export function countOwnApart(concierge: Concierge, proof: string): Concierge {
  const expected = Buffer.from(proof)
  const isOwn = (given: string | null): boolean =>
    given?.length === proof.length && timingSafeEqual(Buffer.from(given, 'latin1'), expected)
  return {
    ...concierge,
    respond: (request) => concierge.respond(isOwn(request.header(OWN_REQUEST)) ? fromHere(request) : request),
    handleRequest: (request, connection) =>
      concierge.handleRequest(
        request,
        isOwn(request.headers.get(OWN_REQUEST)) ? { remoteAddress: OWN_ADDRESS } : connection,
      ),
  }
}

function fromHere(request: CoreRequest): CoreRequest {
  const { method, target } = request
  return {
    ...{ method, target, remoteAddress: OWN_ADDRESS },
    header: (name) => request.header(name),
    readBody: (maxBytes) => request.readBody(maxBytes),
    get signal() {
      return request.signal
    },
  }
}
