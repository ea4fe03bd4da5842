import { ConverseError } from '../converse-error.js'
import type { RedisClient } from './redis-client.js'
import type { RedisScript } from './redis-script.js'

/** Commands that end in time, and fail with `store_unavailable`. */
export interface RedisCommands {
  get(key: string): Promise<string | null>
  set(key: string, value: string, ttlMs: number): Promise<void>
  /** One atomic step. */
  run(script: RedisScript, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>
}

/**
 * While Redis is away every command fails at once: visitors do not pile up behind it. Only the first connection is waited
 * for, so that a program need not.
 */
export function createRedisCommands(client: RedisClient, timeoutMs: number): RedisCommands {
  let opening = client.status === 'ready' ? undefined : opened()

  function opened(): Promise<void> {
    return new Promise((resolve) => {
      client.once('ready', () => {
        opening = undefined
        resolve()
      })
    })
  }

  async function inTime<Result>(command: () => Promise<Result>): Promise<Result> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const over = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(unavailable(`Redis did not answer within ${timeoutMs} ms.`))
      }, timeoutMs)
    })
    try {
      return await Promise.race([connected(command), over])
    } finally {
      clearTimeout(timer)
    }
  }

  async function connected<Result>(command: () => Promise<Result>): Promise<Result> {
    if (opening !== undefined) await opening
    if (client.status !== 'ready') throw unavailable('There is no connection to Redis.')
    try {
      return await command()
    } catch (cause) {
      throw unavailable('Redis has refused a command, or the connection was lost.', cause)
    }
  }

  return {
    get: (key) => inTime(() => client.get(key)),
    async set(key, value, ttlMs) {
      await inTime(() => client.set(key, value, 'PX', ttlMs))
    },
    run: ({ text, digest }, keys, values) =>
      inTime(async () => {
        try {
          return await client.evalsha(digest, keys.length, ...keys, ...values)
        } catch (error) {
          // Redis forgets its scripts when it is restarted.
          if (!isUnknownScript(error)) throw error
          return client.eval(text, keys.length, ...keys, ...values)
        }
      }),
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT')
}

function unavailable(message: string, cause?: unknown): ConverseError {
  return new ConverseError('store_unavailable', message, cause === undefined ? {} : { cause })
}
