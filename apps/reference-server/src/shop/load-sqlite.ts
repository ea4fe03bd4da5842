import type Database from 'better-sqlite3'

export type OpenDatabase = typeof Database

/** better-sqlite3, or why this machine has none: it is optional, and its native part may not have been built. */
export async function loadSqlite(): Promise<OpenDatabase | { readonly missing: string }> {
  try {
    const { default: open } = await import('better-sqlite3')
    new open(':memory:').close()
    return open
  } catch (error) {
    return { missing: (error as Error).message.split('\n')[0] ?? 'unknown' }
  }
}
