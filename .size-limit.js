/** What each public entry may bring, measured by `pnpm check:sizes`: minified and after gzip, with everything but optional peers. */
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Kilobytes by entry, about a tenth above what it is; whoever needs more says so here. Most of what is above 180 is undici.
 * @type {Readonly<Record<string, number>>}
 */
const ENTRIES = {
  '@doorplate/aadp-client': 249,
  '@doorplate/aadp-client/v0.1': 243,
  '@doorplate/aadp-client/sqlite': 1.2,
  '@doorplate/aadp-client/bullmq': 0.5,
  '@doorplate/aadp-conformance': 279,
  '@doorplate/aadp-schemas': 21,
  '@doorplate/aadp-schemas/canonical-json': 2.4,
  '@doorplate/aadp-server': 46,
  '@doorplate/aadp-server/node': 0.8,
  '@doorplate/aadp-server/export': 5.3,
  '@doorplate/agent-discovery': 337,
  '@doorplate/agent-discovery/dns': 3.0,
  '@doorplate/agent-discovery/from-response': 115,
  '@doorplate/agent-discovery/link': 3.1,
  '@doorplate/agent-discovery/linkset': 3.7,
  '@doorplate/agent-discovery/llms-txt': 3.0,
  '@doorplate/agent-discovery/meta': 67,
  '@doorplate/agent-discovery/probe': 261,
  '@doorplate/agent-discovery/publish': 10.0,
  '@doorplate/agent-discovery/readiness': 342,
  '@doorplate/agent-discovery/robots': 2.9,
  '@doorplate/agent-discovery/www-authenticate': 1.7,
  '@doorplate/ahp-conformance': 384,
  '@doorplate/ahp-converse': 0.4,
  '@doorplate/ahp-converse/server': 90,
  '@doorplate/ahp-converse/node': 205,
  '@doorplate/ahp-converse/knowledge': 247,
  '@doorplate/ahp-converse/sqlite': 89,
  '@doorplate/ahp-converse/ai': 5.0,
  '@doorplate/ahp-converse/client': 310,
  '@doorplate/ahp-converse/tools': 2.8,
  '@doorplate/ahp-converse/mcp': 19,
  '@doorplate/ahp-converse/openapi': 6.6,
  '@doorplate/ahp-converse/redis': 4.7,
  '@doorplate/ahp-converse/bullmq': 3.4,
  '@doorplate/ahp-converse/desk': 18,
  '@doorplate/ahp-converse/jwt': 203,
  '@doorplate/ahp-converse/web-bot-auth': 204,
  '@doorplate/ahp-manifest': 21,
  '@doorplate/ahp-manifest/messages': 18,
  '@doorplate/ahp-manifest/page': 3.0,
  '@doorplate/conformance-kit': 14,
  '@doorplate/conformance-kit/cli': 12,
  '@doorplate/safe-fetch': 203,
}

/**
 * Kilobytes by one small thing of an entry: who wants it alone gets no more.
 * @type {readonly (readonly [entry: string, name: string, kilobytes: number])[]}
 */
const SMALL_WISHES = [
  ['@doorplate/aadp-client', 'isAadpClientError', 2],
  ['@doorplate/aadp-schemas', 'isExtensionKey', 1],
  ['@doorplate/aadp-server', 'notFound', 2],
  ['@doorplate/agent-discovery', 'toLinkset', 4],
  ['@doorplate/ahp-converse', 'isConverseError', 1],
  ['@doorplate/ahp-manifest', 'llmsTxt', 2],
  ['@doorplate/conformance-kit', 'visibleText', 3],
  ['@doorplate/safe-fetch', 'parseRetryAfter', 3],
]

/** @typedef {{ name: string, exports: Record<string, { default: string }>, peerDependencies?: Record<string, string> }} Manifest */

/** @type {ReadonlyMap<string, { folder: string, manifest: Manifest }>} */
const packages = new Map(
  readdirSync(new URL('packages', import.meta.url)).map((name) => {
    const folder = `packages/${name}`
    const manifest = JSON.parse(readFileSync(new URL(`${folder}/package.json`, import.meta.url), 'utf8'))
    return [manifest.name, { folder, manifest }]
  }),
)

export default [
  ...Object.entries(ENTRIES).map(([entry, kilobytes]) => ({ name: entry, ...measured(entry, kilobytes) })),
  ...SMALL_WISHES.map(([entry, name, kilobytes]) => ({
    name: `${name} of ${entry}`,
    ...measured(entry, kilobytes),
    import: `{ ${name} }`,
  })),
]

/**
 * @param {string} entry
 * @param {number} kilobytes
 */
function measured(entry, kilobytes) {
  const [scope, name, ...rest] = entry.split('/')
  const found = packages.get(`${scope}/${name}`)
  const file = found?.manifest.exports[['.', ...rest].join('/')]?.default
  if (found === undefined || file === undefined) throw new Error(`there is no entry ${entry}`)
  return {
    path: `${found.folder}/${file.replace('./', '')}`,
    limit: `${kilobytes} kB`,
    gzip: true,
    ignore: Object.keys(found.manifest.peerDependencies ?? {}),
    modifyEsbuildConfig,
  }
}

/** @param {import('esbuild').BuildOptions} options */
function modifyEsbuildConfig(options) {
  return {
    ...options,
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'error',
  }
}
