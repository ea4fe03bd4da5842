import { createKnowledge, type KnowledgeDocument } from '@doorplate/ahp-converse/knowledge'
import type { Answerer } from '@doorplate/ahp-converse'
import type { KnowledgeSource } from '@doorplate/ahp-converse/server'
import type { Library, LibraryDocument } from '../library.js'
import { entityIdOf, MANIFEST, pageOf } from '../routes.js'

export interface LibraryKnowledge extends KnowledgeSource {
  /** The sections that are about a question, best first. */
  find(query: string, options: FindOptions): Promise<readonly FoundSection[]>
}

interface FindOptions {
  readonly limit: number
  readonly signal: AbortSignal
}

export interface FoundSection {
  readonly title: string
  readonly url: string
}

const AS_DATA = {
  title: 'As data',
  links: [{ title: 'AADP manifest', url: MANIFEST, note: 'All of it as JSON documents with checksums.' }],
}

/** How old what is known of the files may be, milliseconds. */
const FRESH_MS = 1000

/** The documents of the library as what the concierge knows. It follows the files while the server runs. */
export async function createLibraryKnowledge(
  library: Library,
  { now, warn }: { readonly now: () => number; readonly warn: (line: string) => void },
): Promise<LibraryKnowledge> {
  const knowledge = await createKnowledge({ language: 'en' })
  const known = new Map<string, string>()
  let lookedAt = -Infinity
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    const documents = await library.documents()
    const present = new Set(documents.map(entityIdOf))
    for (const id of [...known.keys()].filter((id) => !present.has(id))) {
      await knowledge.remove(id)
      known.delete(id)
    }
    for (const document of documents.filter((one) => known.get(entityIdOf(one)) !== one.digest)) {
      await knowledge.add(knowledgeDocument(document))
      known.set(entityIdOf(document), document.digest)
    }
    lookedAt = now()
  }

  function follow(): Promise<void> {
    if (now() - lookedAt < FRESH_MS) return Promise.resolve()
    looking ??= look()
      .catch((error: unknown) => {
        warn(`What the concierge knows could not be brought up to date: ${String(error)}`)
      })
      .finally(() => {
        looking = undefined
      })
    return looking
  }

  const answer: Answerer = async (turn) => {
    await follow()
    return knowledge.answer(turn)
  }

  await look()
  return {
    answer,
    get revision() {
      void follow()
      return knowledge.revision
    },
    llmsTxtContent() {
      const { sections = [], ...content } = knowledge.llmsTxtContent()
      return { ...content, sections: [...sections, AS_DATA] }
    },
    async find(query, { limit, signal }) {
      await follow()
      const hits = await knowledge.retrieve(query, { limit, signal })
      return hits.flatMap(({ passage: { title, headings, url } }) =>
        url === undefined ? [] : [{ title: [title, ...headings].join(' › '), url }],
      )
    },
  }
}

function knowledgeDocument(document: LibraryDocument): KnowledgeDocument {
  const { title, summary, text } = document
  return { id: entityIdOf(document), url: pageOf(document), title, description: summary, content: text }
}
