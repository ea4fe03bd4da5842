export { toNodeListener } from './server/node-listener.js'
export type { NodeListener } from './server/node-listener.js'
