import type { RedisClient } from './redis-client.js'

/** Where processes tell each other. */
export interface RedisChannel {
  readonly name: string
  /** Gives what ends it; absent where the client makes no other connection. */
  readonly subscribe: ((listener: (message: string) => void) => () => void) | undefined
}

/** A connection that listens can do nothing else, so that it has its own; it comes back by itself, and is told nothing it missed. */
export function createRedisChannel(client: RedisClient, name: string): RedisChannel {
  if (client.duplicate === undefined) return { name, subscribe: undefined }
  return {
    name,
    subscribe(listener) {
      const subscriber = client.duplicate?.({ enableOfflineQueue: true, maxRetriesPerRequest: null })
      subscriber?.on('error', () => undefined)
      subscriber?.on('message', (_channel, message) => {
        listener(message)
      })
      subscriber?.subscribe(name).catch(() => undefined)
      return () => subscriber?.disconnect()
    },
  }
}
