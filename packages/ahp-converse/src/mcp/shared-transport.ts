import type {
  JSONRPCMessage,
  JSONRPCRequest,
  MessageClassification,
  MessageExtraInfo,
  RequestId,
  Transport,
} from '@modelcontextprotocol/server'
import type { Exchange } from './exchange.js'

interface Waiting {
  readonly exchange: Exchange
  readonly resolve: (message: JSONRPCMessage) => void
}

/**
 * Carries the requests of all clients to one server, which keeps nothing between requests.
 * Each request goes under a number of ours: two clients may well use the same id, and none may touch what another asked.
 */
export class SharedTransport implements Transport {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void
  readonly #waiting = new Map<RequestId, Waiting>()
  #count = 0

  /** The response to a request, under the id that the client gave it. */
  async ask(
    request: JSONRPCRequest,
    exchange: Exchange,
    classification: MessageClassification,
  ): Promise<JSONRPCMessage> {
    const id = ++this.#count
    const answered = new Promise<JSONRPCMessage>((resolve) => this.#waiting.set(id, { exchange, resolve }))
    this.onmessage?.({ ...request, id }, { classification })
    const response = await answered
    return { ...response, id: request.id }
  }

  exchangeOf(id: RequestId): Exchange {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) throw new Error('The request has been answered.')
    return waiting.exchange
  }

  start(): Promise<void> {
    return Promise.resolve()
  }

  /** Requests and notifications to clients have no way back: nothing here makes any. */
  send(message: JSONRPCMessage): Promise<void> {
    if ('id' in message && message.id !== undefined && !('method' in message)) {
      this.#waiting.get(message.id)?.resolve(message)
      this.#waiting.delete(message.id)
    }
    return Promise.resolve()
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}
