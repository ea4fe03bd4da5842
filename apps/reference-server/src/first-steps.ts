import type { DemoTokens } from './demo-tokens.js'
import type { LibraryDocument } from './library.js'
import { CUSTOM_ROUTES, STANDARD_ROUTES } from './publish/read-routes.js'
import { AGENT_MANIFEST, ASK, CONVERSE, DESK, entityOf, MANIFEST, MCP, OPENAPI } from './routes.js'
import type { Settings } from './settings/settings.js'

export interface ServerAddresses {
  /** What every published URL starts with. */
  readonly origin: string
  /** Where the server listens, as an origin. */
  readonly address: string
  readonly tokens: DemoTokens
}

/** What the terminal shows once the server is ready. */
export function firstSteps(
  documents: readonly LibraryDocument[],
  { origin, address, tokens, routes }: ServerAddresses & Pick<Settings, 'routes'>,
): string {
  const example = documents.find(({ type }) => type === 'spec') ?? documents[0]
  const lines = [
    `Doorplate is serving ${documents.length} documents.`,
    '',
    ...(address === origin ? [] : [`  Listen  ${address}/, published as`]),
    `  Open    ${origin}/`,
    `  Find    curl ${origin}${MANIFEST}`,
    `          curl ${origin}${AGENT_MANIFEST}`,
    ...readingLines(origin, example, routes),
    `  Ask     curl ${origin}${CONVERSE} -H 'content-type: application/json' \\`,
    `            -d '{"capability":"site_info","query":"Which Node.js does it need?"}'`,
    `          and by MCP at ${origin}${MCP}, by OpenAPI at ${origin}${OPENAPI}`,
    '',
    `  People  ask at ${origin}${ASK} and answer at ${origin}${DESK}`,
    '',
    'For trying things, made at the first start and kept in the data folder:',
    `  customer's bearer token    ${tokens.customer}`,
    `  password of the desk       ${tokens.operator}`,
    '',
    'Ten lines that read and verify all of it: README.md, "Read it all". Ctrl+C stops the server.',
  ]
  return lines.join('\n')
}

function readingLines(
  origin: string,
  example: LibraryDocument | undefined,
  routes: Settings['routes'],
): readonly string[] {
  const standard = [
    `  Read    curl ${origin}${STANDARD_ROUTES.sitemapIndex}`,
    ...(example === undefined ? [] : [`          curl ${origin}${entityOf(example)}`]),
  ]
  if (routes === 'standard') return standard
  const sides = (Object.keys(CUSTOM_ROUTES) as (keyof typeof CUSTOM_ROUTES)[]).map(
    (name) => `            ${CUSTOM_ROUTES[name].padEnd(32)}beside  ${STANDARD_ROUTES[name]}`,
  )
  return [
    ...standard,
    '          The manifest leads to addresses of this site, beside the usual ones:',
    ...sides,
  ]
}
