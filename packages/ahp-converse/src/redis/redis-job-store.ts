import { isConverseError } from '../converse-error.js'
import type { JobAdded, JobChange, JobStore } from '../server/jobs/job-store.js'
import { hasEnded, type StoredJob } from '../server/jobs/stored-job.js'
import * as scripts from './job-scripts.js'
import type { RedisChannel } from './redis-channel.js'
import type { RedisCommands } from './redis-commands.js'
import type { RedisScript } from './redis-script.js'

export interface RedisJobStoreOptions {
  readonly prefix: string
  readonly channel: RedisChannel
  /** How long the end of a job is tried to be kept while Redis is away, milliseconds. */
  readonly retryMs: number
}

const RETRY_DELAY_MS = 200

/** Jobs of all processes of a site; each method is one script. */
export function createRedisJobStore(
  commands: RedisCommands,
  { prefix, channel, retryMs }: RedisJobStoreOptions,
): JobStore {
  // The braces keep all keys on one node of a cluster: scripts want that.
  const keys = scripts.JOB_KEYS.map((name) => `{${prefix}}:${name}`)

  function run(script: RedisScript, ...values: readonly (string | number)[]): Promise<unknown> {
    return commands.run(script, keys, values)
  }

  async function show(script: RedisScript, ...values: readonly (string | number)[]): Promise<StoredJob[]> {
    return readJobs(await run(script, ...values))
  }

  /** What was done must not be forgotten because Redis was away for a moment. */
  async function runUntilBack(
    script: RedisScript,
    ...values: readonly (string | number)[]
  ): Promise<{ readonly reply: unknown; readonly isRepeated: boolean }> {
    const end = Date.now() + retryMs
    for (let isRepeated = false; ; isRepeated = true) {
      try {
        return { reply: await run(script, ...values), isRepeated }
      } catch (error) {
        if (!isConverseError(error, 'store_unavailable') || Date.now() + RETRY_DELAY_MS > end) throw error
        await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS))
      }
    }
  }

  return {
    async add(job, { maxJobs, maxJobsPerOwner, maxOpenJobsPerOwner }) {
      const key = job.idempotency?.key ?? ''
      const limits = [maxJobs, maxJobsPerOwner, maxOpenJobsPerOwner]
      const reply = await commands.runAgain(scripts.ADD, keys, [
        key,
        ...limits,
        ...columns(job),
        channel.name,
      ])
      return readAdded(reply as readonly [string, unknown])
    },
    read: async (id) => (await show(scripts.READ, id))[0],
    find: async (key) => (await show(scripts.FIND, key))[0],
    update: async (job, { expectedVersion }) =>
      (await runUntilBack(scripts.UPDATE, expectedVersion, ...columns(job), channel.name)).reply === 1,
    async remove(id, { expectedVersion }) {
      const { reply, isRepeated } = await runUntilBack(scripts.REMOVE, id, expectedVersion)
      // Nobody else removes a job that was held here: the reply of the first time was lost.
      return reply === 1 || (isRepeated && reply === -1)
    },
    claim: ({ queue, now, leaseMs, limit }) => show(scripts.CLAIM, queue, now, now + leaseMs, limit),
    renew: async (leases, { dueAt }) =>
      (await run(scripts.RENEW, dueAt, ...leases.flatMap(({ id, version }) => [id, version]))) as string[],
    list: ({ queue, limit }) => show(scripts.LIST, queue, limit),
    overdue: ({ now, limit }) => show(scripts.OVERDUE, now, limit),
    prune: async ({ finishedBefore, limit }) => (await run(scripts.PRUNE, finishedBefore, limit)) as number,
    async count() {
      const [kept, open] = (await run(scripts.COUNT)) as [number, number]
      return { open, ended: kept - open }
    },
    ...(channel.subscribe === undefined
      ? {}
      : { subscribe: (listener) => channel.subscribe?.(readNotice(listener)) ?? (() => undefined) }),
  }
}

/** A job as `keep` in the scripts takes it. */
function columns(job: StoredJob): readonly (string | number)[] {
  const { id, version, account, queue = '', dueAt, createdAt, expiresAt, finishedAt = createdAt } = job
  const isOpen = hasEnded(job) ? '' : '1'
  const at = [dueAt, createdAt, expiresAt, finishedAt]
  return [id, JSON.stringify(job), version, account, isOpen, queue, ...at, noticeOf(job)]
}

/** What others are told of it: how it goes on is of no use to them. */
function noticeOf({ state, queue }: StoredJob): 'due' | 'ended' | '' {
  if (state === 'running') return ''
  return queue === undefined ? 'ended' : 'due'
}

function readNotice(listener: (change: JobChange) => void): (message: string) => void {
  return (message) => {
    const [notice, id = ''] = message.split(' ')
    listener({ id, isDue: notice === 'due' })
  }
}

function readAdded([outcome, shown]: readonly [string, unknown]): JobAdded {
  if (outcome === 'added') return { outcome }
  const [job] = outcome === 'known' ? readJobs(shown) : []
  if (job !== undefined) return { outcome: 'known', job }
  return { outcome: 'too_many', scope: outcome === 'owner' ? 'owner' : 'store' }
}

function readJobs(shown: unknown): StoredJob[] {
  const values = shown as readonly (string | null)[]
  return Array.from({ length: values.length / 3 }, (_, at) => {
    const [record, version, dueAt] = values.slice(at * 3, at * 3 + 3)
    const job = JSON.parse(record ?? '') as StoredJob
    return { ...job, version: Number(version), dueAt: dueAt == null ? job.dueAt : Number(dueAt) }
  })
}
