export { createSqliteRetriever } from './knowledge/sqlite-retriever.js'
export type { SqliteRetriever } from './knowledge/sqlite-retriever.js'
