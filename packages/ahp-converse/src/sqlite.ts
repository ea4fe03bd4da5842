export { createSqliteRetriever } from './knowledge/sqlite-retriever.js'
export type { SqliteRetriever } from './knowledge/sqlite-retriever.js'
export { createSqliteJobStore } from './server/jobs/sqlite-job-store.js'
export type { SqliteJobStore, SqliteJobStoreOptions } from './server/jobs/sqlite-job-store.js'
