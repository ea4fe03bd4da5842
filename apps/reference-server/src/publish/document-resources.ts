import { defineResource, type Resource } from '@doorplate/aadp-server'
import { DOCUMENT_TYPES, type DocumentType } from '../document-sources.js'
import type { Library, LibraryDocument } from '../library.js'
import { entityIdOf, pageOf } from '../routes.js'
import { pageAfter } from './page-after.js'

/** The library as AADP: one resource for each type of document. */
export function documentResources(library: Library): readonly Resource<LibraryDocument>[] {
  return DOCUMENT_TYPES.map((type) => resourceOf(type, library))
}

function resourceOf(type: DocumentType, library: Library): Resource<LibraryDocument> {
  async function ofType(): Promise<readonly LibraryDocument[]> {
    return (await library.documents()).filter((document) => document.type === type)
  }

  return defineResource<LibraryDocument>({
    type,
    mediaTypes: ['text'],
    count: async () => (await ofType()).length,
    list: async (page) => pageAfter(await ofType(), ({ slug }) => slug, page),
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
