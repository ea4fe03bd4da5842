import { mcpFace } from '@doorplate/ahp-converse/mcp'
import { openApiFace } from '@doorplate/ahp-converse/openapi'
import { type Concierge, defineConcierge } from '@doorplate/ahp-converse/server'

const ANSWER = 'The second edition has it, on the page before the first chapter, drawn by the author. '

/** Limits are counted and never reached; their numbers keep their length. */
export function openSite(): Concierge {
  return defineConcierge({
    name: 'A shelf of novels',
    publicUrl: 'https://books.example',
    contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
    content: '# A shelf of novels\n',
    capabilities: Object.fromEntries(
      ['kept', 'reviews', 'authors', 'prices', 'orders'].map((name) => [
        name,
        {
          description: `Answers questions about ${name} from what readers and the shop have written.`,
          mode: 'MODE2' as const,
          cache: true,
          answer: () => ({
            answer: ANSWER.repeat(5),
            sources: [{ title: 'Editions', url: '/editions', relevance: 'direct' as const }],
          }),
        },
      ]),
    ),
    faces: [mcpFace(), openApiFace()],
    limits: { unauthenticated: { read: '999999999/day', ask: '999999999/day' } },
  })
}
