import { mcpFace } from '@doorplate/ahp-converse/mcp'

export function smoke(): boolean {
  return mcpFace({ path: '/tools' }).path === '/tools'
}
