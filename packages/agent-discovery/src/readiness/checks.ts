import { inconclusive, judged, skipped, type Check, type Outcome } from '@doorplate/conformance-kit'
import type { DiscoveryResult } from '../discover/discover.js'
import type { Kind } from '../resources/kind.js'
import { PUBLICATIONS } from '../publish/publication.js'
import { BROKEN, documentCheck, offered } from './document-check.js'

const API_KINDS: readonly Kind[] = ['openapi', 'api-description', 'api-catalog']
const SERVICE_KINDS: readonly Kind[] = [
  'oauth-protected-resource',
  'oauth-authorization-server',
  'openid-configuration',
  'mcp-server-card',
  'mcp-endpoint',
  'ahp-converse',
  'api-documentation',
]
const LISTED_KINDS: readonly Kind[] = [
  'ahp-manifest',
  'a2a-agent-card',
  'mcp-server-card',
  'mcp-endpoint',
  'openapi',
  'agent-skills-index',
]
/** The checks of the readiness report. Each says what is broken, what is missing, or that it does not apply. */
export const READINESS_CHECKS: readonly Check<DiscoveryResult>[] = [
  {
    id: 'site.page',
    title: 'The page can be fetched',
    requirements: ['READY-PAGE'],
    hint: 'Let clients without a browser fetch the page, and answer it with a success status.',
    fatal: 'unreachable',
    run: ({ page, finalUrl }) =>
      page.state === 'read' || page.status === 401
        ? judged([])
        : judged([{ requirement: 'READY-PAGE', message: brokenPage(page), url: finalUrl }]),
  },
  {
    id: 'site.honest_404',
    title: 'Paths that do not exist are answered with 404',
    requirements: ['READY-HONEST'],
    hint: 'Answer unknown paths with status 404, at least under /.well-known/ and for .json and .txt files.',
    run: honest404,
  },
  {
    id: 'site.links_resolve',
    title: 'What the site names is there',
    requirements: ['READY-RESOLVES'],
    hint: 'Repair the target, or take the link away.',
    run: linksResolve,
  },
  {
    id: 'site.named',
    title: 'What is there is named',
    requirements: ['READY-NAMED'],
    hint: 'Name each resource by a Link field or a link element: agents need not guess paths then. `describeSite` writes them.',
    run: named,
  },
  {
    id: 'read.llms_txt',
    title: 'llms.txt gives agents an overview',
    requirements: ['READY-LLMS', 'READY-VALID'],
    hint: 'Serve /llms.txt as text that begins with a heading and lists links.',
    run: (result) => documentCheck(result, ['llms-txt'], 'READY-LLMS', result.page.mediaType === 'text/html'),
  },
  {
    id: 'read.markdown',
    title: 'The page names its Markdown copy',
    requirements: ['READY-MARKDOWN', 'READY-VALID'],
    hint: 'Add <link rel="alternate" type="text/markdown" href="…"> to the page.',
    run: (result) =>
      documentCheck(result, ['markdown'], 'READY-MARKDOWN', result.page.mediaType === 'text/html'),
  },
  {
    id: 'read.preferences',
    title: 'robots.txt states preferences for AI',
    requirements: ['READY-PREFERENCES'],
    hint: 'Add a Content-Signal or Content-Usage line to robots.txt.',
    run: preferences,
  },
  documentCheckOf(
    'read.aadp',
    'The AADP manifest is right',
    ['aadp-manifest'],
    'Repair the manifest as the reasons say; `aadp-validate` explains each rule.',
  ),
  {
    id: 'api.description',
    title: 'APIs are described',
    requirements: ['READY-API', 'READY-VALID'],
    hint: 'Serve an OpenAPI description and name it by rel="service-desc", or list it in /.well-known/api-catalog.',
    run: (result) => documentCheck(result, API_KINDS, 'READY-API', offered(result, SERVICE_KINDS).length > 0),
  },
  documentCheckOf(
    'api.oauth',
    'OAuth metadata is right',
    ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration'],
    'Serve the metadata where its issuer or resource says, with the members that RFC 8414 and RFC 9728 require.',
  ),
  documentCheckOf(
    'agents.ahp',
    'The AHP manifest is right',
    ['ahp-manifest'],
    'Repair the manifest as the reasons say.',
  ),
  documentCheckOf(
    'agents.a2a',
    'The A2A agent card is right',
    ['a2a-agent-card', 'unknown-agent-json'],
    'Serve a card with its required members at /.well-known/agent-card.json.',
  ),
  documentCheckOf(
    'agents.mcp',
    'The MCP server card is right',
    ['mcp-server-card', 'mcp-directory'],
    'Serve the card in its current form beside the endpoint and list it in a catalogue.',
  ),
  documentCheckOf(
    'agents.skills',
    'The index of skills is right',
    ['agent-skills-index'],
    'Serve the index with its $schema, and each skill with name, type, url and digest.',
  ),
  {
    id: 'agents.catalogue',
    title: 'Agents and tools are listed',
    requirements: ['READY-CATALOGUE', 'READY-VALID', 'READY-CURRENT'],
    hint: 'Serve /.well-known/ard.json; `describeSite` writes it.',
    run: (result) =>
      documentCheck(result, ['ai-catalog'], 'READY-CATALOGUE', offered(result, LISTED_KINDS).length > 0),
  },
]

/** A kind that a site may have or not: not applicable where it has none. */
function documentCheckOf(
  id: string,
  title: string,
  kinds: readonly Kind[],
  hint: string,
): Check<DiscoveryResult> {
  return {
    id,
    title,
    requirements: ['READY-VALID', 'READY-CURRENT'],
    hint,
    run: (result) => documentCheck(result, kinds, undefined, false),
  }
}

/** Who checks a site on their own network needs to know how. */
function brokenPage({ reasons }: DiscoveryResult['page']): string {
  const told = `broken: ${reasons.join(', ')}`
  return reasons.includes('blocked-by-policy')
    ? `${told}. The address is not public; --allow-private-network lets the host be a private one.`
    : told
}

function honest404({ rejected }: DiscoveryResult): Outcome {
  if (rejected.every(({ evidence }) => evidence === undefined))
    return inconclusive('not judged: no conventional path was answered')
  const shells = rejected.filter(
    ({ state, reasons }) =>
      (state === 'soft-404' || reasons.includes('redirect-to-html')) &&
      reasons.some((reason) => reason.endsWith('as-canary')),
  )
  return judged(
    shells.map(({ url, reasons }) => ({
      requirement: 'READY-HONEST',
      message: `a success status for nothing (${reasons.join(', ')})`,
      url,
    })),
  )
}

function linksResolve({ resources }: DiscoveryResult): Outcome {
  const claimed = resources.filter(
    ({ sources, crossOrigin, state }) =>
      !crossOrigin && state !== 'advertised' && sources.some(({ name }) => name !== 'probe'),
  )
  if (claimed.length === 0) return skipped('not applicable: the site names nothing that was fetched')
  const dead = claimed.filter(({ state }) => BROKEN.has(state))
  return judged(
    dead.map(({ url, kind, state, reasons }) => ({
      requirement: 'READY-RESOLVES',
      message: `broken: named as ${kind}, ${state} (${reasons.join(', ')})`,
      url,
    })),
    `${claimed.length} named resources looked at`,
  )
}

/** Of the kinds that can be named: others are looked for at their conventional paths alone. */
function named({ resources }: DiscoveryResult): Outcome {
  const there = resources.filter(
    ({ verified, crossOrigin, kind }) => verified && !crossOrigin && Object.hasOwn(PUBLICATIONS, kind),
  )
  if (there.length === 0) return skipped('not applicable: nothing was verified')
  const silent = there.filter(({ sources }) => sources.every(({ name }) => name === 'probe'))
  return judged(
    silent.map(({ url, kind }) => ({
      requirement: 'READY-NAMED',
      message: `missing: nothing names this ${kind}`,
      url,
    })),
  )
}

function preferences({ signals, finalUrl }: DiscoveryResult): Outcome {
  const { robots, contentSignal, contentUsage } = signals
  if (robots?.contentSignal ?? robots?.contentUsage ?? contentSignal ?? contentUsage) return judged([])
  return judged([
    { requirement: 'READY-PREFERENCES', message: 'missing', url: new URL('/robots.txt', finalUrl).href },
  ])
}
