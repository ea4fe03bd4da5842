import type { RedisState } from '@doorplate/ahp-converse/redis'
import type { JobStore } from '@doorplate/ahp-converse/server'
import { StartError } from '../start-error.js'

/** Where the concierge keeps what it must know later; what is absent is kept in memory. */
export type State = Partial<Omit<RedisState, 'jobs'>> & {
  readonly jobs?: JobStore
  close(): void
}

/** Sessions, limits, kept answers and jobs of all processes of this site. Throws `StartError` when nobody answers there. */
export async function openRedisState(url: string, log: (line: string) => void): Promise<State> {
  // Whoever has no Redis need not have its client in memory.
  const [{ createRedisState }, { Redis }] = await Promise.all([
    import('@doorplate/ahp-converse/redis'),
    import('ioredis'),
  ])
  const client = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
  })
  let complaint: string | undefined
  let isStarting = true
  client.on('error', (error: Error & { code?: string }) => {
    const line = error.code ?? error.message
    if (!isStarting && line !== complaint) log(`Redis is away: ${line}`)
    complaint = line
  })
  client.on('ready', () => {
    complaint = undefined
  })
  try {
    await client.connect()
  } catch (error) {
    client.disconnect()
    throw new StartError(`REDIS_URL cannot be used: ${complaint ?? (error as Error).message}.`)
  }
  isStarting = false
  return {
    ...createRedisState(client),
    close: () => {
      client.disconnect()
    },
  }
}

/** Jobs in the database of the shop. */
export async function openFileState(file: string): Promise<State> {
  const { createSqliteJobStore } = await import('@doorplate/ahp-converse/sqlite')
  const jobs = createSqliteJobStore(file)
  return {
    jobs,
    close: () => {
      jobs.close()
    },
  }
}
