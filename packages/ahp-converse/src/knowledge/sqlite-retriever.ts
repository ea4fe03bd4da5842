import Database from 'better-sqlite3'
import { pathOf, textOf, type Passage } from './documents/passage.js'
import { HEADING_WEIGHT } from './index/count-terms.js'
import { LanguageSet } from './index/language-set.js'
import type { Hit, Retriever, SearchOptions } from './index/retriever.js'
import type { Language } from './text/language.js'

/** Passages in a file, looked up by SQLite FTS5. */
export interface SqliteRetriever extends Retriever {
  close(): void
}

// Terms are made here, for every language alike; FTS5 takes them apart at the spaces between them and nowhere else.
const SCHEMA = `
CREATE TABLE IF NOT EXISTS passages (
  slot INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  language TEXT NOT NULL,
  passage TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE IF NOT EXISTS passage_terms USING fts5(
  headings, text, content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
);
CREATE VIRTUAL TABLE IF NOT EXISTS term_counts USING fts5vocab(passage_terms, row);
`

const SEARCH = `
SELECT passage, -bm25(passage_terms, ${HEADING_WEIGHT}, 1) AS score
FROM passage_terms JOIN passages ON slot = passage_terms.rowid
WHERE passage_terms MATCH ? AND (? IS NULL OR language = ?)
ORDER BY score DESC, slot
LIMIT ?
`

/**
 * For more text than memory should hold: passages and their index in an SQLite file, or `:memory:`. What is in the file already is not
 * indexed again. Needs the package `better-sqlite3`. Throws what that throws.
 */
export function createSqliteRetriever(path: string): SqliteRetriever {
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.exec(SCHEMA)
  const statements = {
    find: database.prepare<[string], { slot: number; passage: string }>(
      'SELECT slot, passage FROM passages WHERE id = ?',
    ),
    ids: database.prepare<[], string>('SELECT id FROM passages').pluck(),
    languages: database.prepare<[], string>('SELECT DISTINCT language FROM passages').pluck(),
    count: database.prepare<[], number>('SELECT count(*) FROM passages').pluck(),
    having: database.prepare<[string], number>('SELECT doc FROM term_counts WHERE term = ?').pluck(),
    search: database.prepare<
      [string, string | null, string | null, number],
      { passage: string; score: number }
    >(SEARCH),
    insert: database.prepare('INSERT INTO passages (id, language, passage) VALUES (?, ?, ?)'),
    insertTerms: database.prepare('INSERT INTO passage_terms (rowid, headings, text) VALUES (?, ?, ?)'),
    delete: database.prepare('DELETE FROM passages WHERE slot = ?'),
    deleteTerms: database.prepare('DELETE FROM passage_terms WHERE rowid = ?'),
  }
  const languages = new LanguageSet()
  const ready = Promise.all(statements.languages.all().map((tag) => languages.load(tag)))

  const put = database.transaction((passages: readonly (readonly [Passage, Language])[]) => {
    for (const [passage, language] of passages) {
      const json = JSON.stringify(passage)
      const before = statements.find.get(passage.id)
      if (before?.passage === json) continue
      if (before !== undefined) drop(before.slot)
      const { lastInsertRowid: slot } = statements.insert.run(passage.id, language.tag, json)
      statements.insertTerms.run(
        slot,
        language.terms(pathOf(passage).join('\n')).join(' '),
        language.terms(textOf(passage)).join(' '),
      )
    }
  })

  const dropAll = database.transaction((ids: Iterable<string>) => {
    for (const id of ids) {
      const before = statements.find.get(id)
      if (before !== undefined) drop(before.slot)
    }
  })

  function drop(slot: number): void {
    statements.delete.run(slot)
    statements.deleteTerms.run(slot)
  }

  return {
    async add(passages) {
      const read: (readonly [Passage, Language])[] = []
      for (const passage of passages) read.push([passage, await languages.load(passage.language)])
      put(read)
    },
    remove(ids) {
      dropAll(ids)
    },
    retain(ids) {
      dropAll(statements.ids.all().filter((id) => !ids.has(id)))
    },
    async search(query, { limit, language }: SearchOptions) {
      await ready
      const terms = languages.terms(query)
      if (terms.length === 0) return []
      const match = terms.map((term) => `"${term}"`).join(' OR ')
      const rows = statements.search.all(match, language ?? null, language ?? null, limit)
      return rows.map(({ passage, score }): Hit => ({ passage: JSON.parse(passage) as Passage, score }))
    },
    weigh(terms) {
      const all = statements.count.get() ?? 0
      return terms.map((term) => {
        const having = statements.having.get(term) ?? 0
        return Math.log(1 + (all - having + 0.5) / (having + 0.5))
      })
    },
    close() {
      database.close()
    },
  }
}
