import { invalidOption } from '../converse-error.js'
import type { JobStore } from '../server/jobs/job-store.js'
import type { KeyvLike } from '../server/keyv-like.js'
import type { RateStore } from '../server/limits/rate-store.js'
import type { SessionStore } from '../server/sessions/session-store.js'
import { checkMembers, wholeOption } from '../server/state-options.js'
import { createRedisAnswerStore } from './redis-answer-store.js'
import { createRedisChannel } from './redis-channel.js'
import type { RedisClient } from './redis-client.js'
import { createRedisCommands } from './redis-commands.js'
import { createRedisJobStore } from './redis-job-store.js'
import { createRedisRateStore } from './redis-rate-store.js'
import { createRedisSessionStore } from './redis-session-store.js'

/** Options of `createRedisState`. */
export interface RedisStateOptions {
  /** Before the names of all keys; one for each site. Default: `ahp`. */
  readonly prefix?: string
  /** Longest wait for a command, milliseconds. Default: 2,000. */
  readonly timeoutMs?: number
  /** How long the end of a job is tried to be kept while Redis is away; less than `jobs.leaseMs`. Default: 20,000. */
  readonly retryMs?: number
}

/** A store for each option of `defineConcierge` that takes one. */
export interface RedisState {
  readonly limits: RateStore
  readonly sessions: SessionStore
  readonly cache: KeyvLike
  readonly jobs: JobStore
}

const MEMBERS: readonly (keyof RedisStateOptions)[] = ['prefix', 'timeoutMs', 'retryMs']

/**
 * Everything that the processes of a site have to know of each other, in one Redis: a limit is one limit, a turn is taken
 * once, and a job is done by one of them.
 *
 * @param client of `ioredis`, with `maxRetriesPerRequest: 0` and without `enableOfflineQueue` and `autoResendUnfulfilledCommands`:
 *   else it holds commands back while Redis is away, and they fail only after `timeoutMs`. Closing it is its owner's
 * @throws {ConverseError} `invalid_option`; the stores reject with `store_unavailable`
 */
export function createRedisState(client: RedisClient, options: RedisStateOptions = {}): RedisState {
  checkMembers('options', options, MEMBERS)
  const { prefix = 'ahp' } = options
  if (typeof prefix !== 'string' || !/^[^\s{}]+$/.test(prefix))
    throw invalidOption('prefix', 'must be a text without spaces and braces')
  const commands = createRedisCommands(client, wholeOption('timeoutMs', options.timeoutMs, 2000))
  return {
    limits: createRedisRateStore(commands, `${prefix}:rate:`),
    sessions: createRedisSessionStore(commands, `${prefix}:session:`),
    cache: createRedisAnswerStore(commands, `${prefix}:`),
    jobs: createRedisJobStore(commands, {
      prefix: `${prefix}:jobs`,
      channel: createRedisChannel(client, `${prefix}:jobs`),
      retryMs: wholeOption('retryMs', options.retryMs, 20_000),
    }),
  }
}
