import { formatLlmsTxt, isErrorPage } from '@doorplate/agent-discovery/llms-txt'

export function smoke(): boolean {
  return formatLlmsTxt({ title: 'Shelf' }).startsWith('# Shelf') && !isErrorPage('# Shelf\n')
}
