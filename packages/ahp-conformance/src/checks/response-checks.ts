import { rule } from '../requirements.js'
import type { Site } from '../site/site.js'
import { judgeAspect, skippedWithoutCredential, type SiteCheck } from './site-check.js'

/** What holds of every response that the run has seen, whatever it was about. */
export const responseChecks: readonly SiteCheck[] = [
  {
    id: 'responses.link',
    title: 'Every response leads to the manifest by its Link field',
    requirements: ['R-001', 'R-005', 'R-006'].map(rule),
    needs: ['manifest.identity'],
    hint: 'Send Link: </.well-known/agent.json>; rel="ahp-manifest"; type="application/agent+json" with every response.',
    run: async (site) => {
      await askInPassing(site)
      return judgeAspect(site, 'link', () => true)
    },
  },
  {
    id: 'responses.limits',
    title: 'Every response of every endpoint tells the state of the limits',
    requirements: ['R-093', 'R-095', 'R-116'].map(rule),
    needs: ['manifest.identity'],
    hint: 'Count requests before anything else, and send the four X-RateLimit fields also with refusals.',
    run: (site) => judgeAspect(site, 'limits', ({ endpoint }) => endpoint !== 'page'),
  },
  {
    id: 'responses.credential',
    title: 'No response repeats a credential',
    requirements: [rule('R-076')],
    needs: ['manifest.identity'],
    hint: 'Take credentials out of requests before anything is made of them, messages of errors included.',
    run: async (site) =>
      (await site.credential()) === undefined
        ? skippedWithoutCredential(site, 'No credential was sent.')
        : judgeAspect(site, 'credential', () => true),
  },
  {
    id: 'responses.retry_after',
    title: 'A refusal because of a limit says when to come back',
    requirements: [rule('R-096')],
    needs: ['manifest.identity'],
    hint: 'Send Retry-After with every 429.',
    run: (site) => judgeAspect(site, 'retry', ({ status }) => status === 429),
  },
]

/** Responses that nothing else asks for: OPTIONS, a path that does not exist, and a method that no document has. */
async function askInPassing(site: Site): Promise<void> {
  const { converseUrl, isInteractive } = await site.declared()
  await site.send('page', { url: `${site.origin}/doorplate-conformance-absent`, redirect: 'manual' })
  await site.send('manifest', { url: `${site.origin}/.well-known/agent.json`, method: 'DELETE' })
  if (isInteractive) await site.send('page', { url: converseUrl, method: 'OPTIONS' })
}
