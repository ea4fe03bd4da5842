import type { Passage, Retriever, SearchOptions } from '@doorplate/ahp-converse/knowledge'
import { cosineSimilarity, embed, embedMany, type EmbeddingModel } from 'ai'

/** @param model any of the AI SDK */
export function createEmbeddingRetriever(model: EmbeddingModel): Retriever {
  // #region retriever
  class EmbeddingRetriever implements Retriever {
    readonly #vectors = new Map<string, { passage: Passage; vector: number[] }>()

    async add(passages: readonly Passage[]) {
      const values = passages.map(({ blocks }) => JSON.stringify(blocks))
      const { embeddings } = await embedMany({ model, values })
      passages.forEach((passage, index) => {
        this.#vectors.set(passage.id, { passage, vector: embeddings[index] ?? [] })
      })
    }

    remove(ids: readonly string[]) {
      for (const id of ids) this.#vectors.delete(id)
    }

    async search(query: string, { limit }: SearchOptions) {
      const { embedding } = await embed({ model, value: query })
      return [...this.#vectors.values()]
        .map(({ passage, vector }) => ({ passage, score: cosineSimilarity(vector, embedding) }))
        .map((hit) => ({ ...hit, relevant: hit.score > 0.7 }))
        .sort((a, b) => b.score - a.score)
        .slice(0, limit)
    }
  }
  // #endregion retriever
  return new EmbeddingRetriever()
}
