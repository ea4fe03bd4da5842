import { createKnowledge } from '@doorplate/ahp-converse/knowledge'

export async function smoke(): Promise<boolean> {
  const content = '# Refunds\n\nA refund takes five days.\n'
  const knowledge = await createKnowledge({ documents: [{ url: '/refunds', content }] })
  const passages = await knowledge.retrieve('refund')
  return passages.length === 1
}
