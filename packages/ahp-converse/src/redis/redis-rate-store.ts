import type { RateStore } from '../server/limits/rate-store.js'
import type { RedisCommands } from './redis-commands.js'
import { redisScript } from './redis-script.js'

const COUNT = redisScript(`
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return { count, redis.call('PTTL', KEYS[1]) }`)

const READ = redisScript(`return { redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1]) }`)

/** Windows on the clock of Redis, so that those of the processes need not agree. */
export function createRedisRateStore(commands: RedisCommands, prefix: string): RateStore {
  return {
    async penalty(key, points, { customDuration }) {
      const values = [points, customDuration * 1000]
      const [consumedPoints, msBeforeNext] = (await commands.run(COUNT, [prefix + key], values)) as [
        number,
        number,
      ]
      return { consumedPoints, msBeforeNext }
    },
    async get(key) {
      const [count, msBeforeNext] = (await commands.run(READ, [prefix + key], [])) as [string | null, number]
      return count === null ? null : { consumedPoints: Number(count), msBeforeNext }
    },
  }
}
