import { describeSite } from '@doorplate/agent-discovery/publish'

export function smoke(): boolean {
  const { linkHeader } = describeSite({
    url: 'https://shop.test/',
    name: 'Shelf',
    resources: [{ kind: 'llms-txt', url: '/llms.txt' }],
  })
  return linkHeader.includes('</llms.txt>')
}
