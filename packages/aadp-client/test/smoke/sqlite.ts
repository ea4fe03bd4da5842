import { createSqliteStore } from '@doorplate/aadp-client/sqlite'

export function smoke(): boolean {
  return typeof createSqliteStore === 'function'
}
