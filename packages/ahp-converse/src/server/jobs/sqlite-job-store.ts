import Database from 'better-sqlite3'
import { createGroupCommit } from './group-commit.js'
import type { JobAdded, JobClaim, JobLimits, JobStore } from './job-store.js'
import { hasEnded, type StoredJob } from './stored-job.js'

/** Options of `createSqliteJobStore`. */
export interface SqliteJobStoreOptions {
  /**
   * What a job must survive: `power` writes through to the disk with every step, `process` leaves the last moments before a
   * power cut to the operating system. Both survive the end of the process, however it ends. Default: `power`.
   */
  readonly survives?: 'power' | 'process'
}

export interface SqliteJobStore extends JobStore {
  close(): void
}

interface Row {
  readonly version: number
  readonly due_at: number
  readonly data: string
}

/** `owner` is the account, and `data` the job as JSON; the columns are what is looked for, and what changes without the rest. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS ahp_jobs (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    owner TEXT NOT NULL,
    is_open INTEGER NOT NULL,
    queue TEXT,
    due_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    finished_at INTEGER,
    idempotency_key TEXT UNIQUE,
    data TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS ahp_jobs_due ON ahp_jobs (queue, due_at) WHERE queue IS NOT NULL;
  CREATE INDEX IF NOT EXISTS ahp_jobs_open ON ahp_jobs (owner) WHERE is_open;
  CREATE INDEX IF NOT EXISTS ahp_jobs_owned ON ahp_jobs (owner, finished_at, id);
  CREATE INDEX IF NOT EXISTS ahp_jobs_overdue ON ahp_jobs (expires_at) WHERE is_open;
  CREATE INDEX IF NOT EXISTS ahp_jobs_finished ON ahp_jobs (finished_at) WHERE queue IS NULL;
  CREATE TABLE IF NOT EXISTS ahp_job_count (n INTEGER NOT NULL) STRICT;
  INSERT INTO ahp_job_count SELECT count(*) FROM ahp_jobs WHERE NOT EXISTS (SELECT 1 FROM ahp_job_count);
  CREATE TRIGGER IF NOT EXISTS ahp_jobs_added AFTER INSERT ON ahp_jobs
    BEGIN UPDATE ahp_job_count SET n = n + 1; END;
  CREATE TRIGGER IF NOT EXISTS ahp_jobs_removed AFTER DELETE ON ahp_jobs
    BEGIN UPDATE ahp_job_count SET n = n - 1; END;
`
/** How long a step waits for another process to finish its own, milliseconds. */
const BUSY_TIMEOUT_MS = 5000

/** Jobs in a file that processes of one machine may share. Throws what SQLite throws. */
export function createSqliteJobStore(
  file: string,
  { survives = 'power' }: SqliteJobStoreOptions = {},
): SqliteJobStore {
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS })
  database.pragma('journal_mode = WAL')
  database.pragma(`synchronous = ${survives === 'power' ? 'FULL' : 'NORMAL'}`)
  database.transaction(() => database.exec(SCHEMA)).immediate()

  const byId = database.prepare<[string], Row>('SELECT version, due_at, data FROM ahp_jobs WHERE id = ?')
  const byKey = database.prepare<[string], Row>(
    'SELECT version, due_at, data FROM ahp_jobs WHERE idempotency_key = ?',
  )
  const allOfOwner = database.prepare<[string], { readonly n: number }>(
    'SELECT count(*) AS n FROM ahp_jobs WHERE owner = ?',
  )
  const removeOldest = database.prepare<[string, number]>(
    `DELETE FROM ahp_jobs WHERE id IN
       (SELECT id FROM ahp_jobs WHERE owner = ? AND queue IS NULL AND finished_at > 0 ORDER BY finished_at, id LIMIT ?)`,
  )
  const removeOne = database.prepare<[string, number]>('DELETE FROM ahp_jobs WHERE id = ? AND version = ?')
  const openOfOwner = database.prepare<[string], { readonly n: number }>(
    'SELECT count(*) AS n FROM ahp_jobs WHERE owner = ? AND is_open',
  )
  const all = database.prepare<[], { readonly n: number }>('SELECT n FROM ahp_job_count')
  const allOpen = database.prepare<[], { readonly n: number }>(
    'SELECT count(*) AS n FROM ahp_jobs WHERE is_open',
  )
  const insert = database.prepare(
    `INSERT INTO ahp_jobs (id, version, owner, is_open, queue, due_at, created_at, expires_at, finished_at, idempotency_key, data)
     VALUES (@id, @version, @owner, @isOpen, @queue, @dueAt, @createdAt, @expiresAt, @finishedAt, @key, @data)`,
  )
  const replace = database.prepare(
    `UPDATE ahp_jobs SET version = @version, is_open = @isOpen, queue = @queue, due_at = @dueAt, expires_at = @expiresAt,
       finished_at = @finishedAt, data = @data
     WHERE id = @id AND version = @expectedVersion`,
  )
  const take = database.prepare<[number, string, number, number], Row>(
    `UPDATE ahp_jobs SET version = version + 1, due_at = ?
     WHERE id IN (SELECT id FROM ahp_jobs WHERE queue = ? AND due_at <= ? ORDER BY due_at LIMIT ?)
     RETURNING version, due_at, data`,
  )
  const isDue = database.prepare<[string, number]>(
    'SELECT 1 FROM ahp_jobs WHERE queue = ? AND due_at <= ? LIMIT 1',
  )
  const isPrunable = database.prepare<[number]>(
    'SELECT 1 FROM ahp_jobs WHERE queue IS NULL AND finished_at <= ? LIMIT 1',
  )
  const extend = database.prepare<[number, string, number]>(
    'UPDATE ahp_jobs SET due_at = ? WHERE id = ? AND version = ?',
  )
  const queued = database.prepare<[string, number], Row>(
    'SELECT version, due_at, data FROM ahp_jobs WHERE queue = ? ORDER BY created_at LIMIT ?',
  )
  const late = database.prepare<[number, number], Row>(
    'SELECT version, due_at, data FROM ahp_jobs WHERE is_open AND expires_at <= ? ORDER BY expires_at LIMIT ?',
  )
  const remove = database.prepare<[number, number]>(
    `DELETE FROM ahp_jobs WHERE id IN
       (SELECT id FROM ahp_jobs WHERE queue IS NULL AND finished_at <= ? ORDER BY finished_at LIMIT ?)`,
  )

  const { write, flush } = createGroupCommit(database)

  function add(job: StoredJob, { maxJobs, maxJobsPerOwner, maxOpenJobsPerOwner }: JobLimits): JobAdded {
    const { account, createdAt, idempotency } = job
    const known = idempotency && byKey.get(idempotency.key)
    if (known !== undefined) return { outcome: 'known', job: jobOf(known) }
    if ((openOfOwner.get(account)?.n ?? 0) >= maxOpenJobsPerOwner)
      return { outcome: 'too_many', scope: 'owner' }
    const spare = countOf(account) - maxJobsPerOwner + 1
    if (spare > 0) {
      removeOldest.run(account, spare)
      if (countOf(account) >= maxJobsPerOwner) return { outcome: 'too_many', scope: 'owner' }
    }
    if ((all.get()?.n ?? 0) >= maxJobs) return { outcome: 'too_many', scope: 'store' }
    insert.run({ ...columnsOf(job), owner: account, createdAt, key: idempotency?.key ?? null })
    return { outcome: 'added' }
  }

  function countOf(account: string): number {
    return allOfOwner.get(account)?.n ?? 0
  }

  function claim({ queue, now, leaseMs, limit }: JobClaim): readonly StoredJob[] {
    const taken = take.all(now + leaseMs, queue, now, limit).map(jobOf)
    return taken.sort((one, other) => one.createdAt - other.createdAt)
  }

  return {
    add: (job, limits) => write(() => add(job, limits)),
    read: (id) => optionalJob(byId.get(id)),
    find: (key) => optionalJob(byKey.get(key)),
    update: (job, { expectedVersion }) =>
      write(() => replace.run({ ...columnsOf(job), expectedVersion }).changes === 1),
    remove: (id, { expectedVersion }) => write(() => removeOne.run(id, expectedVersion).changes === 1),
    claim: (wanted) => (isDue.get(wanted.queue, wanted.now) === undefined ? [] : write(() => claim(wanted))),
    renew: (leases, { dueAt }) =>
      write(() =>
        leases.flatMap(({ id, version }) => (extend.run(dueAt, id, version).changes === 1 ? [] : [id])),
      ),
    list: ({ queue, limit }) => queued.all(queue, limit).map(jobOf),
    overdue: ({ now, limit }) => late.all(now, limit).map(jobOf),
    prune: ({ finishedBefore, limit }) =>
      isPrunable.get(finishedBefore) === undefined
        ? 0
        : write(() => remove.run(finishedBefore, limit).changes),
    count() {
      const notEnded = allOpen.get()?.n ?? 0
      return { open: notEnded, ended: (all.get()?.n ?? 0) - notEnded }
    },
    close() {
      flush()
      database.close()
    },
  }
}

function columnsOf(job: StoredJob): Readonly<Record<string, string | number | null>> {
  return {
    id: job.id,
    version: job.version,
    isOpen: hasEnded(job) ? 0 : 1,
    queue: job.queue ?? null,
    dueAt: job.dueAt,
    expiresAt: job.expiresAt,
    finishedAt: job.finishedAt ?? null,
    data: JSON.stringify(job),
  }
}

function optionalJob(row: Row | undefined): StoredJob | undefined {
  return row && jobOf(row)
}

function jobOf({ version, due_at: dueAt, data }: Row): StoredJob {
  return { ...(JSON.parse(data) as StoredJob), version, dueAt }
}
