import type { KeyvLike } from '../server/keyv-like.js'
import type { RedisCommands } from './redis-commands.js'

/** Kept answers, for `cache.store`. */
export function createRedisAnswerStore(commands: RedisCommands, prefix: string): KeyvLike {
  return {
    async get(key) {
      const text = await commands.get(prefix + key)
      return text === null ? undefined : (JSON.parse(text) as unknown)
    },
    set: (key, value, ttlMs) => commands.set(prefix + key, JSON.stringify(value), ttlMs),
  }
}
