import { createRedisState } from '@doorplate/ahp-converse/redis'

export function smoke(): boolean {
  return typeof createRedisState === 'function'
}
