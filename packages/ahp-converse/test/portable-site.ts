import { createKnowledge } from '../src/knowledge.js'
import { mcpFace } from '../src/mcp.js'
import { openApiFace } from '../src/openapi.js'
import { defineConcierge } from '../src/server.js'

const REFUNDS = '# Refunds\n\nA refund takes five days. It goes to your card.\n'

/** The site that every runtime serves in the portability tests; it is bundled, so it imports nothing of a test. */
export async function openSite(): Promise<ReturnType<typeof defineConcierge>> {
  let bytes = 0
  return defineConcierge({
    name: 'Shop',
    publicUrl: 'https://shop.test',
    contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
    knowledge: await createKnowledge({ documents: [{ url: '/refunds', content: REFUNDS }] }),
    faces: [mcpFace(), openApiFace()],
    capabilities: {
      help: { description: 'Answers questions.', mode: 'MODE2' },
      later: {
        description: 'Answers a little later.',
        mode: 'MODE2',
        answer: async ({ query }) => ({ answer: await Promise.resolve(`Ünïcode: ${query}`) }),
      },
      members: { description: 'Answers members.', mode: 'MODE2', auth: 'required' },
    },
    verify: ({ value }) => (value === 'token' ? { id: 'member' } : null),
    now: () => 1_767_225_600_000,
    random: (ids) => {
      ids.forEach((_, index) => (ids[index] = bytes++))
    },
  })
}
