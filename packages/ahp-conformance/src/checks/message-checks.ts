import { rule } from '../requirements.js'
import { MESSAGES } from '../site/observe.js'
import { judgeAspect, type SiteCheck } from './site-check.js'

/** What holds of every answer and error that the run has seen. */
export const messageChecks: readonly SiteCheck[] = [
  {
    id: 'messages.schema',
    title: 'Every answer and error is valid',
    requirements: ['R-082', 'R-065', 'R-067', 'R-120', 'R-121', 'R-123', 'RES-001', 'RES-003'].map(rule),
    needs: ['converse.declared'],
    hint: 'Correct what the schemas of responses and payloads refuse.',
    run: (site) => judgeAspect(site, 'schema', ({ endpoint }) => MESSAGES.has(endpoint)),
  },
  {
    id: 'messages.errors',
    title: 'Every error has the right status and a body in JSON',
    requirements: [rule('R-083')],
    needs: ['converse.declared'],
    hint: 'Answer every error, also those of your framework, as the protocol says.',
    run: (site) =>
      judgeAspect(
        site,
        'errors',
        ({ endpoint, status }) => status >= 400 && !['page', 'mcp'].includes(endpoint),
      ),
  },
  {
    id: 'messages.internals',
    title: 'No error tells of the program that made it',
    requirements: ['R-083', 'R-091'].map(rule),
    needs: ['converse.declared'],
    hint: 'Keep traces and paths of files for your log, and tell callers what they can do about it.',
    run: (site) => judgeAspect(site, 'internals', ({ endpoint }) => endpoint !== 'page'),
  },
  {
    id: 'messages.cache',
    title: 'No cache may keep an answer for others, or the state of work',
    requirements: ['SES-001', 'R-079'].map(rule),
    needs: ['converse.declared'],
    hint: 'Send Cache-Control: no-store with answers and with the state of work.',
    run: (site) =>
      judgeAspect(site, 'cache', ({ endpoint, status }) => status < 300 && MESSAGES.has(endpoint)),
  },
  {
    id: 'messages.content_type',
    title: 'meta repeats the type of the answer',
    requirements: [rule('R-066')],
    needs: ['converse.answer'],
    hint: 'Send meta.content_type with every answer.',
    run: (site) =>
      judgeAspect(site, 'echo', ({ endpoint, status }) => status < 300 && MESSAGES.has(endpoint)),
  },
  {
    id: 'messages.media',
    title: 'Media are given by URL',
    requirements: [rule('R-064')],
    needs: ['converse.answer'],
    hint: 'Put media where they can be fetched, and give their URLs.',
    run: (site) =>
      judgeAspect(site, 'media', ({ endpoint, status }) => status < 300 && MESSAGES.has(endpoint)),
  },
  {
    id: 'messages.challenge',
    title: 'Status 401 names the scheme',
    requirements: [rule('AUTH-002')],
    needs: ['converse.declared'],
    hint: 'Send WWW-Authenticate with every 401.',
    run: (site) => judgeAspect(site, 'challenge', ({ status }) => status === 401),
  },
]
