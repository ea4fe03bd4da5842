export type { Phrases } from './knowledge/answer/phrases.js'
export { createKnowledge } from './knowledge/create-knowledge.js'
export type { Knowledge, KnowledgeOptions, RetrieveOptions } from './knowledge/create-knowledge.js'
export type { Block } from './knowledge/documents/block.js'
export { documentsOfEntities } from './knowledge/documents/entity-document.js'
export type { PublishedEntity } from './knowledge/documents/entity-document.js'
export type {
  DocumentFacts,
  KnowledgeDocument,
  RecordDocument,
  TextDocument,
} from './knowledge/documents/knowledge-document.js'
export type { Passage } from './knowledge/documents/passage.js'
export type { DocumentSummary } from './knowledge/documents/read-document.js'
export { createBm25Retriever } from './knowledge/index/bm25-retriever.js'
export type { Hit, Retriever, SearchOptions } from './knowledge/index/retriever.js'
