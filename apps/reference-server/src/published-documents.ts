import { defineAADP, defineResource, type AadpServer, type Resource } from '@doorplate/aadp-server'
import { DOCUMENT_TYPES, type DocumentType } from './document-sources.js'
import type { Library, LibraryDocument } from './library.js'
import { entityIdOf, LICENSE, pageOf, ROBOTS } from './routes.js'

export interface PublishOptions {
  readonly origin: string
  /** Takes one line about an answer that failed. */
  readonly log: (line: string) => void
}

/** The library as AADP: one resource for each type of document. */
export function publishDocuments(library: Library, { origin, log }: PublishOptions): AadpServer {
  return defineAADP({
    baseUrl: origin,
    application: {
      name: 'Doorplate',
      description:
        'The documentation of Doorplate: its specification, the READMEs of its packages and its guides, as Markdown.',
      categories: ['documentation', 'developer-tools'],
      publisher: { name: 'The Doorplate contributors', url: `${origin}/` },
    },
    links: { homepage: `${origin}/` },
    policies: {
      robots: `${origin}${ROBOTS}`,
      terms: `${origin}${LICENSE}`,
      content_license: { id: 'MIT', url: `${origin}${LICENSE}` },
    },
    resources: DOCUMENT_TYPES.map((type) => resourceOf(type, library)),
    onError: (error, { operation }) => {
      log(`${operation} failed: ${String(error)}`)
    },
  })
}

function resourceOf(type: DocumentType, library: Library): Resource<LibraryDocument> {
  async function ofType(): Promise<readonly LibraryDocument[]> {
    return (await library.documents()).filter((document) => document.type === type)
  }

  return defineResource<LibraryDocument>({
    type,
    mediaTypes: ['text'],
    count: async () => (await ofType()).length,
    /** The cursor is the slug of the last document handed out. */
    async list({ cursor, limit }) {
      const following = (await ofType()).filter(({ slug }) => cursor === null || slug > cursor)
      const items = following.slice(0, limit)
      return { items, nextCursor: following.length > limit ? (items.at(-1)?.slug ?? null) : null }
    },
    get: ({ id }) => library.find(type, id),
    identify: ({ slug, digest, updatedAt }) => ({ name: slug, version: digest, updatedAt }),
    serialize: (document) => ({
      id: entityIdOf(document),
      updatedAt: document.updatedAt,
      canonicalUrl: pageOf(document),
      locale: 'en',
      data: {
        title: document.title,
        summary: document.summary,
        path: document.path,
        media_type: 'text/markdown',
        sections: document.sections.map(({ level, title, anchor }) => ({ level, title, anchor })),
        text: document.text,
      },
    }),
    markdown: ({ text }) => text,
  })
}
