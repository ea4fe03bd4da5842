import { ConverseError } from '../converse-error.js'
import type { RedisClient } from './redis-client.js'
import type { RedisScript } from './redis-script.js'

/** Commands that end in time, and fail with `store_unavailable`. */
export interface RedisCommands {
  get(key: string): Promise<string | null>
  set(key: string, value: string, ttlMs: number): Promise<void>
  /** One atomic step. */
  run(script: RedisScript, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>
  /** One that may reach Redis twice: it is sent again when the connection was lost before the reply, and is back in time. */
  runAgain(
    script: RedisScript,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown>
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

  async function inTime<Result>(command: (isOver: () => boolean) => Promise<Result>): Promise<Result> {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const over = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        isOver = true
        reject(unavailable(`Redis did not answer within ${timeoutMs} ms.`))
      }, timeoutMs)
    })
    try {
      return await Promise.race([connected(() => command(() => isOver)), over])
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

  async function evaluate(
    ...[{ text, digest }, keys, values]: Parameters<RedisCommands['run']>
  ): Promise<unknown> {
    try {
      return await client.evalsha(digest, keys.length, ...keys, ...values)
    } catch (error) {
      // Redis forgets its scripts when it is restarted.
      if (!isUnknownScript(error)) throw error
      return client.eval(text, keys.length, ...keys, ...values)
    }
  }

  function back(): Promise<void> {
    return new Promise((resolve) => {
      if (client.status === 'ready') resolve()
      else client.once('ready', resolve)
    })
  }

  return {
    get: (key) => inTime(() => client.get(key)),
    async set(key, value, ttlMs) {
      await inTime(() => client.set(key, value, 'PX', ttlMs))
    },
    run: (...step) => inTime(() => evaluate(...step)),
    runAgain: (...step) =>
      inTime(async (isOver) => {
        try {
          return await evaluate(...step)
        } catch (error) {
          if (isReply(error) || client.status === 'end') throw error
          await back()
          if (isOver()) throw error
          return evaluate(...step)
        }
      }),
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT')
}

/** Whether Redis has answered, with an error. */
function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError'
}

function unavailable(message: string, cause?: unknown): ConverseError {
  return new ConverseError('store_unavailable', message, cause === undefined ? {} : { cause })
}
