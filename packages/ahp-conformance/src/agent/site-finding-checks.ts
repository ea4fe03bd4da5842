import { MANIFEST_PATH } from '@doorplate/ahp-manifest'
import { atStation, finding, type AgentCheck } from './agent-check.js'
import type { Finding } from '@doorplate/conformance-kit'
import { questionsOf, type Visit } from './station.js'

/** How an agent finds a manifest, and what it makes of one. */
export const siteFindingChecks: readonly AgentCheck[] = [
  atStation('well_known', {
    id: 'discovery.well_known',
    title: 'The well-known path is tried first',
    numbers: ['R-015'],
    hint: 'Ask for /.well-known/agent.json before anything else.',
    judge: ({ requests }) => {
      const [first] = requests
      return first?.path === MANIFEST_PATH
        ? []
        : [finding('R-015', `The first request is for ${first?.path ?? ''}.`)]
    },
  }),
  atStation('link', {
    id: 'discovery.link',
    title: 'The manifest is found by the Link field',
    numbers: ['R-015', 'DISC-002'],
    hint: 'Follow a Link field with the relation ahp-manifest or agent-manifest, whatever its target.',
    judge: foundManifest,
  }),
  atStation('notice', {
    id: 'discovery.notice',
    title: 'The manifest is found by the notice in the page',
    numbers: ['R-015'],
    hint: 'Look for the notice in the HTML when there is neither a well-known path nor a Link field.',
    judge: foundManifest,
  }),
  atStation('agent_card', {
    id: 'discovery.other_documents',
    title: 'A document of another protocol is not taken for a manifest',
    numbers: ['DISC-005'],
    hint: 'Judge what is at the well-known path by its ahp and modes, and look on where it has none.',
    judge: (visit) =>
      questionsOf(visit)
        .filter(({ path }) => path !== '/agent/converse')
        .map(({ path }) => finding('DISC-005', `Something is posted to ${path}, which no manifest names.`)),
  }),
  atStation('well_known', {
    id: 'discovery.integrations',
    title: 'MCP and OpenAPI are not assumed',
    numbers: ['R-028'],
    hint: 'Use only the integrations that the manifest declares.',
    judge: ({ requests }) =>
      requests
        .filter(({ path }) => /^\/(mcp|openapi|swagger|capabilities)\b/.test(path))
        .map(({ path }) => finding('R-028', `${path} is asked for, which the manifest does not declare.`)),
  }),
  atStation('unknown_version', {
    id: 'versions.unknown',
    title: 'A site of an unknown version is only read',
    numbers: ['R-111'],
    hint: 'Read the content of the site where you do not know the version, and ask nothing.',
    judge: (visit) => [
      ...(questionsOf(visit).length > 0
        ? [finding('R-111', 'A question is asked to a site of version 7.0.')]
        : []),
      ...(visit.requests.some(({ path }) => path === '/llms.txt')
        ? []
        : [finding('R-111', 'The content that MODE1 offers is not read.')]),
    ],
  }),
]

function foundManifest({ requests }: Visit): readonly Finding[] {
  if (requests.some(({ path }) => path === '/about/agent.json')) return []
  return [finding('R-015', 'The manifest is not found.')]
}
