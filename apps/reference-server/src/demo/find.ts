import { discover } from '@doorplate/agent-discovery'
import { require, type Narrator } from './narrator.js'
import type { VisitedSite } from './visited-site.js'

const EXPECTED = ['ahp-manifest', 'aadp-manifest', 'llms-txt', 'openapi', 'api-catalog'] as const

/** Finds what the site offers, each proved by its content. */
export async function find({ origin, fetch }: VisitedSite, { step, say }: Narrator): Promise<void> {
  step('Find: what does this site offer to agents?')
  const { resources } = await discover(`${origin}/`, { fetch })
  for (const { state, kind, url } of resources) say(`${state.padEnd(12)} ${kind.padEnd(16)} ${url}`)
  for (const kind of EXPECTED)
    require(resources.some(
      (resource) => resource.kind === kind && resource.state === 'verified',
    ), `No verified ${kind} was found.`)
}
