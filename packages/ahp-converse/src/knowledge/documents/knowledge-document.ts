/** A document as it is handed over. Its text is the site's own or a stranger's: it is split and quoted, never followed. */
export type KnowledgeDocument = TextDocument | RecordDocument

/** A document that is text. */
export interface TextDocument extends DocumentFacts {
  /** Default: `markdown`. */
  readonly format?: 'markdown' | 'html' | 'text'
  readonly content: string
}

/** Data instead of a text: the fields are what can be asked about. */
export interface RecordDocument extends DocumentFacts {
  readonly format: 'record'
  readonly content: Readonly<Record<string, unknown>>
}

/** What is known of a document besides its content. */
export interface DocumentFacts {
  /** Identifies it among all documents. Default: `url`, else the title; one of the three is needed. */
  readonly id?: string
  /** Where people read it: a root-relative path or an `http(s)` URL. Without one it is never given as a source. */
  readonly url?: string
  /** Default: front matter, the first heading, `<title>`, or a field `title` or `name`. */
  readonly title?: string
  /** BCP 47. Default: front matter, `<html lang>`, else by its script, else the language of the knowledge. */
  readonly language?: string
  readonly description?: string
}
