import type { SessionStore } from '../server/sessions/session-store.js'
import type { StoredSession } from '../server/sessions/stored-session.js'
import type { RedisCommands } from './redis-commands.js'
import { redisScript } from './redis-script.js'

const READ = redisScript(`return redis.call('HGET', KEYS[1], 'session')`)

/** May reach Redis twice when a connection is lost: whoever has written is told so, and nobody else. */
const WRITE = redisScript(`
local expected, version, session, ttl, token = unpack(ARGV)
if redis.call('HGET', KEYS[1], 'token') == token then return 1 end
if (redis.call('HGET', KEYS[1], 'version') or '0') ~= expected then return 0 end
redis.call('HSET', KEYS[1], 'version', version, 'session', session, 'token', token)
redis.call('PEXPIRE', KEYS[1], ttl)
return 1`)

/** Of two processes that take the same turn at once, one is refused. */
export function createRedisSessionStore(commands: RedisCommands, prefix: string): SessionStore {
  return {
    async read(id) {
      const text = (await commands.run(READ, [prefix + id], [])) as string | null
      return text === null ? undefined : (JSON.parse(text) as StoredSession)
    },
    async write(id, session, { expectedVersion, ttlMs }) {
      const values = [expectedVersion, session.version, JSON.stringify(session), ttlMs, crypto.randomUUID()]
      return (await commands.runAgain(WRITE, [prefix + id], values)) === 1
    },
  }
}
