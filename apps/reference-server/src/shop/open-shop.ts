import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { StartError } from '../start-error.js'
import type { OpenDatabase } from './load-sqlite.js'
import { MIGRATIONS } from './migrations.js'
import { createShop, type Shop } from './shop.js'

const BUSY_TIMEOUT_MS = 5000

/** The database of the shop, and of the jobs of the concierge. */
export function databaseFile(folder: string): string {
  return join(folder, 'doorplate.db')
}

/** Opens the shop; makes, migrates and fills its database where needed. Throws `StartError`, and then has changed nothing. */
export function openShop(open: OpenDatabase, folder: string): Shop {
  const file = databaseFile(folder)
  const isNew = !existsSync(file)
  let database: Database | undefined
  try {
    database = new open(file, { timeout: BUSY_TIMEOUT_MS })
    if (!isNew) checkIntegrity(database, file)
    migrate(database, file)
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    return createShop(database)
  } catch (error) {
    database?.close()
    throw error instanceof StartError ? error : unusable(error as Error & { code?: string }, file)
  }
}

function checkIntegrity(database: Database, file: string): void {
  const [finding] = database.pragma('quick_check(1)') as { quick_check: string }[]
  if (finding?.quick_check !== 'ok') throw damaged(file)
}

/** All of what is missing or nothing: a process that is killed in between leaves the version before. */
function migrate(database: Database, file: string): void {
  database
    .transaction(() => {
      const version = Number(database.pragma('user_version', { simple: true }))
      if (version > MIGRATIONS.length)
        throw new StartError(`${file} was written by a newer version of this program. Nothing was changed.`)
      if (version === MIGRATIONS.length) return
      for (const migration of MIGRATIONS.slice(version)) database.exec(migration)
      database.pragma(`user_version = ${String(MIGRATIONS.length)}`)
    })
    .immediate()
}

function unusable({ code = 'unknown', message }: Error & { code?: string }, file: string): StartError {
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return damaged(file)
  return new StartError(`${file} cannot be used: ${message} (${code}). Nothing was changed.`)
}

function damaged(file: string): StartError {
  return new StartError(
    `${file} is damaged. Nothing was changed: put back a copy, or move it away to start with a new one.`,
  )
}
