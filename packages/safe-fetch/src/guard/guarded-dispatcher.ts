import { Socket } from 'node:net'

import type { Client, Dispatcher } from 'undici'

import { createGuardedConnector } from './guarded-connector.js'
import type { Policy } from '../options/options.js'
import { OriginPools } from './origin-pools.js'
import type { HopDispatcher } from './origin-pools.js'
import type { Undici } from './undici.js'

/** The one connection of a pool member: what an attempt may learn about it or do to it. */
export interface Connection {
  socket: Socket | undefined
}

/** A dispatch that is told which connection it was given. */
export interface GuardedDispatchOptions extends Dispatcher.DispatchOptions {
  readonly onConnection: (connection: Connection) => void
}

/** Idle sockets are kept this long unless the server names less; it cannot ask for more than the maximum. */
const KEEP_ALIVE_MS = 4_000
const KEEP_ALIVE_MAX_MS = 30_000

type Connect = Extract<Client.Options['connect'], (...parameters: never) => unknown>
type AnyConnect = (...parameters: Parameters<Connect>) => unknown

/**
 * The connections of one policy, shared neither with another policy nor with undici's global dispatcher; each pool
 * connects through a guard made for its origin. With a proxy the proxy connects instead.
 */
export function createGuardedDispatcher(undici: Undici, policy: Policy): HopDispatcher {
  const createClient = defineObservedClient(undici)
  const limits = {
    maxHeaderSize: policy.maxResponseHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
  }
  if (policy.proxy !== null) {
    const timeout = policy.connectTimeoutMs
    const tls = { timeout, rejectUnauthorized: true, ...(policy.ca === undefined ? {} : { ca: policy.ca }) }
    return new undici.ProxyAgent({
      ...limits,
      uri: policy.proxy.href,
      proxyTls: tls,
      requestTls: tls,
      // What the proxy takes to answer CONNECT is time to connect.
      clientFactory: (origin, options) => new undici.Pool(origin, { ...options, headersTimeout: timeout }),
      factory: (origin, options) => createPool(origin, options, (options as { connect: Connect }).connect),
    })
  }
  return new OriginPools((origin) =>
    createPool(origin, limits, createGuardedConnector(undici, new URL(origin), policy)),
  )

  function createPool(origin: string | URL, options: object, connect: AnyConnect): Dispatcher {
    return new undici.Pool(origin, {
      ...options,
      factory: (clientOrigin, clientOptions) => createClient(clientOrigin, clientOptions, connect),
    })
  }
}

function defineObservedClient(undici: Undici): (origin: URL, options: object, connect: AnyConnect) => Client {
  class ObservedClient extends undici.Client {
    readonly #connection: Connection

    constructor(origin: URL, options: Client.Options, connection: Connection) {
      super(origin, options)
      this.#connection = connection
    }

    override dispatch(options: GuardedDispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
      options.onConnection(this.#connection)
      return super.dispatch(options, handler)
    }
  }
  return (origin, options, connect) => {
    const connection: Connection = { socket: undefined }
    const observed: Connect = (connectOptions, callback) => {
      const socket = connect(connectOptions, callback)
      connection.socket = socket instanceof Socket ? socket : undefined
    }
    return new ObservedClient(origin, { ...options, connect: observed }, connection)
  }
}
