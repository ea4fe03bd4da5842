import type { Answerer } from '@doorplate/ahp-converse'
import { createKnowledge } from '@doorplate/ahp-converse/knowledge'
import { type Concierge, defineConcierge } from '@doorplate/ahp-converse/server'
import { thousandPassages, wordAt } from './thousand-passages.js'

export const CONVERSE = '/agent/converse'
export const MANIFEST = '/.well-known/agent.json'

/** The body of a question with as many words as people ask with, one of them rare. */
export function question(capability: 'kept' | 'fresh', number: number): string {
  const query = `What about ${[700 + number, 90, 40, 1500 + number].map(wordAt).join(' ')}?`
  return JSON.stringify({ ahp: '0.1', capability, query, context: { requesting_agent: 'bench/1.0' } })
}

/**
 * Limits are counted and never reached; their numbers keep their length.
 *
 * @param answers instead of those of the knowledge
 */
export async function openSite({ kept }: { readonly kept?: Answerer } = {}): Promise<Concierge> {
  return defineConcierge({
    name: 'A thousand passages',
    publicUrl: 'https://books.example',
    contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
    knowledge: await createKnowledge({ documents: thousandPassages() }),
    capabilities: {
      kept: {
        description: 'Answers that are kept.',
        mode: 'MODE2',
        cache: true,
        ...(kept === undefined ? {} : { answer: kept }),
      },
      fresh: { description: 'Answers that are made anew.', mode: 'MODE2', cache: false },
    },
    limits: { unauthenticated: { read: '999999999/day', ask: '999999999/day' } },
  })
}
