import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import proxyAddr from 'proxy-addr'

/** What the pages know of a request besides what it says. */
export interface SiteEnv {
  Bindings: HttpBindings
  Variables: {
    /** Of the visitor: not of the proxies in between that are trusted. */
    address: string
  }
}

export type AddressReader = (request: IncomingMessage) => string

/** Reads who asks, from the connection or from what a trusted proxy says of it. */
export function createAddressReader(trustedProxies: readonly string[]): AddressReader {
  const isTrusted = proxyAddr.compile([...trustedProxies])
  return (request) => {
    const peer = request.socket.remoteAddress ?? ''
    const named = peer === '' ? '' : proxyAddr(request, isTrusted)
    return isIP(named) === 0 ? peer : named
  }
}

/** The address that a request is from. */
export function addressOf(context: Context<SiteEnv>): string {
  return context.get('address')
}
