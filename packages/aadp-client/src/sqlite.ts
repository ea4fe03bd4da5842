export { createSqliteStore } from './stores/sqlite-store.js'
export type { SqliteStore } from './stores/sqlite-store.js'
