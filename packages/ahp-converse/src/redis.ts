export { createRedisState } from './redis/create-redis-state.js'
export type { RedisState, RedisStateOptions } from './redis/create-redis-state.js'
export type { RedisClient, RedisSubscriber } from './redis/redis-client.js'
