import { Socket } from 'node:net'
import type { LookupFunction, TcpSocketConnectOpts } from 'node:net'

/** One address the process tried to connect a TCP socket to. */
export interface Dial {
  readonly address: string
  readonly port: number
}

export interface DialRecorder {
  readonly dials: readonly Dial[]
  readonly restore: () => void
}

export interface RecordDialsOptions {
  /** Let the socket report the loopback address it really reached. */
  readonly keepPeer?: boolean
  /** Told the options of each `connect`. */
  readonly onDial?: (options: TcpSocketConnectOpts) => void
}

/**
 * Records every address that `net` or `tls` would dial, below all HTTP code, and sends the connection to
 * `127.0.0.1:<port that route returns>` instead; for null the connection fails. The socket reports the address it was
 * meant for. Names are resolved by the lookup the socket was given, and all answers count as dialled.
 */
export function recordDials(
  route: (dial: Dial) => number | null,
  options: RecordDialsOptions = {},
): DialRecorder {
  const dials: Dial[] = []
  // The method is called with its socket below.
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const connect = Socket.prototype.connect
  Socket.prototype.connect = function (this: Socket, ...parameters: unknown[]): Socket {
    const [connectOptions, onConnect] = flatten(parameters) as [DialOptions, unknown]
    if (connectOptions.host === undefined) return connect.apply(this, parameters as never)
    const port = Number(connectOptions.port)
    options.onDial?.(connectOptions as TcpSocketConnectOpts)
    resolveAll(connectOptions, (error, addresses) => {
      if (error !== null) {
        this.destroy(error)
        return
      }
      dials.push(...addresses.map((address) => ({ address, port })))
      const target = route({ address: addresses[0] ?? '', port })
      if (target === null) {
        this.destroy(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
        return
      }
      if (options.keepPeer !== true)
        Object.defineProperty(this, 'remoteAddress', { value: addresses[0], configurable: true })
      connect.apply(this, [{ port: target, host: '127.0.0.1' }, onConnect] as never)
    })
    return this
  }
  return {
    dials,
    restore: () => {
      Socket.prototype.connect = connect
    },
  }
}

/** Undici passes the port of a URL as it is, a text. */
type DialOptions = Omit<TcpSocketConnectOpts, 'port'> & { readonly port: number | string }

/** `net.connect` hands over its normalised parameters as one list. */
function flatten(parameters: readonly unknown[]): readonly unknown[] {
  return parameters[0] instanceof Array ? (parameters[0] as unknown[]) : parameters
}

function resolveAll(
  options: DialOptions,
  callback: (error: Error | null, addresses: readonly string[]) => void,
): void {
  const host = options.host ?? ''
  if (/^[\d.]+$|:/.test(host)) {
    queueMicrotask(() => {
      callback(null, [host])
    })
    return
  }
  const lookup: LookupFunction | undefined = options.lookup
  if (lookup === undefined) throw new Error(`No lookup was given for ${host}.`)
  lookup(host, { all: true }, (error, answers) => {
    // Like net: a failure is not reported before its caller could listen for it.
    if (error) process.nextTick(callback, error, [])
    else callback(null, typeof answers === 'string' ? [answers] : answers.map(({ address }) => address))
  })
}
