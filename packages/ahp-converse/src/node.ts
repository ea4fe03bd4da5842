export { loadDocuments } from './knowledge/load-documents.js'
export type { LoadOptions } from './knowledge/load-documents.js'
export { toNodeListener } from './server/node-listener.js'
export type { NodeListener } from './server/node-listener.js'
