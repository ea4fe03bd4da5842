import { isIP } from 'node:net'
import type { Socket } from 'node:net'

import type { buildConnector } from 'undici'

import { blockedAddress, hostOf, isAllowedAddress, portOf } from './check-url.js'
import { SafeFetchError } from '../errors.js'
import { createGuardedLookup } from './guarded-lookup.js'
import type { Policy } from '../options/options.js'
import type { Undici } from './undici.js'

/** Returns the socket being connected, so that a connection nobody waits for any more can be given up. */
export type GuardedConnector = (
  options: buildConnector.Options,
  callback: buildConnector.Callback,
) => Socket | undefined

/**
 * The last gate: every socket to an origin is made here. Literal addresses never reach a lookup, so they are judged
 * here as well, and the far end is judged once more when the socket is connected. Refusals arrive through the callback.
 */
export function createGuardedConnector(undici: Undici, origin: URL, policy: Policy): GuardedConnector {
  const host = hostOf(origin)
  const port = portOf(origin)
  const dial = createDialler(undici, port, policy)
  return function connect(options, callback) {
    const refusal = refuse(options, host, port, policy)
    if (refusal !== null) {
      queueMicrotask(() => {
        callback(refusal, null)
      })
      return undefined
    }
    return dial(options, (error, socket) => {
      if (error !== null) callback(error, null)
      else if (isAllowedPeer(host, socket.remoteAddress, port, policy)) callback(null, socket)
      else {
        socket.destroy()
        callback(blockedAddress(undefined, socket.remoteAddress ?? ''), null)
      }
    })
  }
}

function createDialler(undici: Undici, port: number, policy: Policy): GuardedConnector {
  return undici.buildConnector({
    timeout: policy.connectTimeoutMs,
    lookup: createGuardedLookup(port, policy),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: policy.addressAttemptTimeoutMs,
    rejectUnauthorized: true,
    ...(policy.ca === undefined ? {} : { ca: policy.ca }),
  }) as GuardedConnector
}

function refuse(
  options: buildConnector.Options,
  host: string,
  port: number,
  policy: Policy,
): SafeFetchError | null {
  if (options.socketPath != null || options.httpSocket !== undefined) {
    return new SafeFetchError('blocked', 'A socket path is refused.', { reason: 'socket_path' })
  }
  const isOwnOrigin = options.hostname === host && (options.port === '' || Number(options.port) === port)
  if (isOwnOrigin && (isIP(host) === 0 || isAllowedPeer(host, host, port, policy))) return null
  return blockedAddress(undefined, options.hostname)
}

function isAllowedPeer(host: string, address: string | undefined, port: number, policy: Policy): boolean {
  return policy.allowList.allowsHost(host, port) || isAllowedAddress(address ?? '', port, policy)
}
