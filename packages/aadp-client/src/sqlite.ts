export { createSqliteStore } from './sqlite-store.js'
export type { SqliteStore } from './sqlite-store.js'
