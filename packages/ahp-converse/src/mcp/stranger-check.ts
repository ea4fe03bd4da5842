import type { CoreRequest } from '../server/core-message.js'

export interface Doors {
  readonly publicUrl: string
  readonly allowOrigins: readonly string[]
  /** Names besides that of the public URL, with a port where it is not that of the scheme. */
  readonly allowHosts: readonly string[]
}

/**
 * Why a request is not let in; undefined when it is. A web page cannot make a browser lie in `Origin`, nor, under a name that
 * was bound anew to this address, in `Host`; whether the two agree proves nothing.
 */
export function createStrangerCheck({
  publicUrl,
  allowOrigins,
  allowHosts,
}: Doors): (request: CoreRequest) => string | undefined {
  const origins = new Set(
    [publicUrl, ...allowOrigins].map((origin) => origin.toLowerCase().replace(/\/$/, '')),
  )
  const hosts = new Set([new URL(publicUrl).host, ...allowHosts].map((host) => host.toLowerCase()))

  return function strangerIn(request) {
    const origin = request.header('origin')
    if (origin !== null && !origins.has('*') && !origins.has(origin.toLowerCase()))
      return 'Pages of this origin may not ask.'
    const host = request.header('host')?.toLowerCase()
    if (host === undefined || hosts.has(host) || isLoopback(host)) return undefined
    return 'This is not the name of the site.'
  }
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(host)
}
