import type { CapabilityConfig } from '@doorplate/ahp-converse/server'
import { newestPosts } from '../publish/posts.js'
import { ASK, entityOf } from '../routes.js'
import type { LibraryKnowledge } from './library-knowledge.js'

const MAX_FOUND = 8
/** When a person at the desk is expected to have answered. */
const PERSON_ETA_SECONDS = 600

/** What any site offers: who it is, what it says, and a person. */
export function siteCapabilities(knowledge: LibraryKnowledge): Readonly<Record<string, CapabilityConfig>> {
  return {
    site_info: {
      description: 'Answers questions about Doorplate from its documentation, with sources.',
      mode: 'MODE2',
    },
    content_search: {
      description: 'Finds the sections of the documentation that are about something.',
      mode: 'MODE2',
      responseTypes: ['text/answer', 'application/feed'],
      async answer({ query, contentType, signal }) {
        const found = await knowledge.find(query, { limit: MAX_FOUND, signal })
        const answer =
          found.length === 0
            ? 'Nothing was found about that.'
            : found.map(({ title, url }) => `- ${title}: ${url}`).join('\n')
        if (contentType !== 'application/feed') return { answer, sources: found.slice(0, 3) }
        return { answer, payload: { total: found.length, items: found } }
      },
    },
    news: {
      description: 'What is new here, as a feed.',
      mode: 'MODE2',
      responseTypes: ['application/feed'],
      acceptFallback: true,
      answer({ contentType, locale }) {
        const items = newestPosts(locale).map(({ slug, title, summary, publishedAt }) => ({
          ...{ title, description: summary, published_at: publishedAt },
          url: entityOf({ type: 'post', slug }),
        }))
        const answer = items.map(({ title, url }) => `- ${title}: ${url}`).join('\n')
        if (contentType !== 'application/feed') return { answer }
        return { answer, payload: { total: items.length, items } }
      },
    },
    contact: {
      description: 'Says how to reach the people behind this site.',
      mode: 'MODE2',
      cache: true,
      answer: () => ({
        answer:
          'People read what is asked of human_escalation, with a token, and what is handed over on the page for questions. They answer there.',
        sources: [{ title: 'Ask', url: ASK }],
      }),
    },
    human_escalation: {
      description: 'Leaves a question to a person, who answers later.',
      mode: 'MODE3',
      actionType: 'async',
      etaSeconds: PERSON_ETA_SECONDS,
      // To hand a question over has no effect of its own: who finds it not handed over does it again.
      restartable: true,
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object' },
      answer: () => ({ escalation: { etaSeconds: PERSON_ETA_SECONDS } }),
    },
  }
}
