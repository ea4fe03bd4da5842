import Database from 'better-sqlite3'
import type { EntityV1 } from '@doorplate/aadp-schemas'
import type { EntityVersion, PendingChange, StoreBatch, StoredDocument, SyncStore } from './store.js'

/**
 * A store in a file, which others may read with SQL meanwhile: table `entities` has `site`, `id`, `type`, `checksum`, `updated_at`,
 * `entity` and `data` (both JSON).
 */
export interface SqliteStore extends SyncStore {
  close(): void
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS entities (
  site TEXT NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  checksum TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  entity TEXT NOT NULL,
  data TEXT GENERATED ALWAYS AS (json_extract(entity, '$.data')) VIRTUAL,
  PRIMARY KEY (site, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS documents (
  site TEXT NOT NULL,
  url TEXT NOT NULL,
  text TEXT NOT NULL,
  etag TEXT,
  last_modified TEXT,
  PRIMARY KEY (site, url)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pending_changes (
  site TEXT NOT NULL,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (site, position)
) STRICT, WITHOUT ROWID;
`

/** A mirror in an SQLite file; `:memory:` for none. Needs the package `better-sqlite3`. Throws what that throws. */
export function createSqliteStore(path: string): SqliteStore {
  const database = new Database(path)
  const statements = prepareOrClose(database)
  return {
    close() {
      database.close()
    },
    readDocument(site, url) {
      const row = statements.readDocument.get(site, url)
      return row && documentOf(url, row)
    },
    readEntity(site, id) {
      const text = statements.readEntity.get(site, id)
      return text === undefined ? undefined : (JSON.parse(text) as EntityV1)
    },
    readVersions(site, ids) {
      const rows = statements.readVersions.all(site, JSON.stringify(ids))
      return new Map(rows.map(({ id, ...version }) => [id, version]))
    },
    readPending: (site) => statements.readPending.all(site),
    listDocuments: (site) => statements.listDocuments.all(site),
    listEntities: (site) => statements.listEntities.all(site),
    commit: database.transaction((site: string, batch: StoreBatch) => {
      commit(statements, site, batch)
    }),
  }
}

/** A file that is no database, or is locked, is not kept open. */
function prepareOrClose(database: Database.Database): Statements {
  try {
    // With a write-ahead log a commit survives the end of the process; NORMAL may lose the last ones when the machine stops.
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = NORMAL')
    database.exec(SCHEMA)
    return prepare(database)
  } catch (error) {
    database.close()
    throw error
  }
}

interface DocumentRow {
  readonly text: string
  readonly etag: string | null
  readonly lastModified: string | null
}

type Statements = ReturnType<typeof prepare>

function prepare(database: Database.Database): {
  readonly readDocument: Database.Statement<[string, string], DocumentRow>
  readonly readEntity: Database.Statement<[string, string], string>
  readonly readVersions: Database.Statement<[string, string], EntityVersion & { readonly id: string }>
  readonly readPending: Database.Statement<[string], PendingChange>
  readonly listDocuments: Database.Statement<[string], string>
  readonly listEntities: Database.Statement<[string], string>
  readonly putDocument: Database.Statement<[string, string, string, string | null, string | null]>
  readonly deleteDocument: Database.Statement<[string, string]>
  readonly putEntity: Database.Statement<[string, string, string, string, string, string]>
  readonly deleteEntity: Database.Statement<[string, string]>
  readonly clearPending: Database.Statement<[string]>
  readonly putPending: Database.Statement<[string, number, string, string]>
} {
  return {
    readDocument: database.prepare(
      'SELECT text, etag, last_modified AS lastModified FROM documents WHERE site = ? AND url = ?',
    ),
    readEntity: database
      .prepare<[string, string], string>('SELECT entity FROM entities WHERE site = ? AND id = ?')
      .pluck(),
    readVersions: database.prepare(
      `SELECT id, checksum, updated_at AS updatedAt FROM entities
       WHERE site = ? AND id IN (SELECT value FROM json_each(?))`,
    ),
    readPending: database.prepare('SELECT kind, id FROM pending_changes WHERE site = ? ORDER BY position'),
    listDocuments: database.prepare<[string], string>('SELECT url FROM documents WHERE site = ?').pluck(),
    listEntities: database
      .prepare<[string], string>('SELECT id FROM entities WHERE site = ? ORDER BY id')
      .pluck(),
    putDocument: database.prepare('INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?)'),
    deleteDocument: database.prepare('DELETE FROM documents WHERE site = ? AND url = ?'),
    putEntity: database.prepare(
      'INSERT OR REPLACE INTO entities (site, id, type, checksum, updated_at, entity) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    deleteEntity: database.prepare('DELETE FROM entities WHERE site = ? AND id = ?'),
    clearPending: database.prepare('DELETE FROM pending_changes WHERE site = ?'),
    putPending: database.prepare('INSERT INTO pending_changes VALUES (?, ?, ?, ?)'),
  }
}

function commit(statements: Statements, site: string, batch: StoreBatch): void {
  for (const url of batch.deleteDocuments ?? []) statements.deleteDocument.run(site, url)
  for (const { url, text, etag, lastModified } of batch.putDocuments ?? []) {
    statements.putDocument.run(site, url, text, etag ?? null, lastModified ?? null)
  }
  for (const id of batch.deleteEntities ?? []) statements.deleteEntity.run(site, id)
  for (const { entity, version } of batch.putEntities ?? []) {
    const { id, type } = entity
    statements.putEntity.run(site, id, type, version.checksum, version.updatedAt, JSON.stringify(entity))
  }
  statements.clearPending.run(site)
  for (const [position, { kind, id }] of batch.pending.entries())
    statements.putPending.run(site, position, kind, id)
}

function documentOf(url: string, { text, etag, lastModified }: DocumentRow): StoredDocument {
  return { url, text, ...(etag !== null && { etag }), ...(lastModified !== null && { lastModified }) }
}
