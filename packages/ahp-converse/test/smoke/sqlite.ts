import { createSqliteJobStore } from '@doorplate/ahp-converse/sqlite'

export function smoke(): boolean {
  return typeof createSqliteJobStore === 'function'
}
