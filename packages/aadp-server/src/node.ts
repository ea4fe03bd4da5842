export { toNodeListener } from './node-listener.js'
export type { NodeListener } from './node-listener.js'
