export { toTools } from './tools/to-tools.js'
export type { SiteToolInput, SiteTools, ToToolsOptions } from './tools/to-tools.js'
export type { SiteToolResult } from './tools/tool-result.js'
