import { createHash } from 'node:crypto'

/** A Lua script, and the name under which Redis remembers it. */
export interface RedisScript {
  readonly text: string
  /** SHA-1, in hexadecimal digits. */
  readonly digest: string
}

export function redisScript(text: string): RedisScript {
  return { text, digest: createHash('sha1').update(text).digest('hex') }
}
