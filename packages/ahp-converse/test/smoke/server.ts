import { defineConcierge } from '@doorplate/ahp-converse/server'

export async function smoke(): Promise<boolean> {
  const concierge = defineConcierge({
    name: 'Shelf',
    publicUrl: 'https://shelf.test',
    contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
    content: '# Shelf\n',
    capabilities: {
      hours: { description: 'When we are there.', mode: 'MODE2', answer: () => ({ answer: 'From 9 to 5.' }) },
    },
  })
  const response = await concierge.handleRequest(
    new Request('https://shelf.test/agent/converse', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ capability: 'hours', query: 'When?' }),
    }),
  )
  return response.status === 200 && (await response.text()).includes('From 9 to 5.')
}
