import { createKnowledge } from '@doorplate/ahp-converse/knowledge'

const knowledge = await createKnowledge({
  documents: [
    {
      url: '/returns',
      content: `# Returns

You can send back anything within 30 days of delivery. The item must be unused.

## Refund times

Refunds are paid to the card you paid with. It takes up to five working days.`,
    },
  ],
})

const turn = { contentType: 'text/answer', history: [], sessionId: 's', maxTokens: 500, capability: 'help' }
const { signal } = new AbortController()
for (const query of ['How long does a refund take?', 'Do you sell unicorns?']) {
  const outcome = await knowledge.answer({ ...turn, query, signal })
  if (!('answer' in outcome)) continue
  console.log(outcome.answer)
  for (const { title, url } of outcome.sources ?? []) console.log(title, url)
}
