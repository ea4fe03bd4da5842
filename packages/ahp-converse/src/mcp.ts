export { mcpFace } from './mcp/mcp-face.js'
export type { McpFaceOptions } from './mcp/mcp-face.js'
