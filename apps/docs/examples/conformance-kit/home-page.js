import {
  checkSite,
  followRedirects,
  hopOver,
  judged,
  networkSettings,
  noResponse,
  privateHosts,
  secretsIn,
  siteHeaders,
  trustedAuthorities,
} from '@doorplate/conformance-kit'
import { runInProcess, runRunnerCli, siteRunnerCli } from '@doorplate/conformance-kit/cli'
import { createSafeFetch, withScheme } from '@doorplate/safe-fetch'

const RUNNER = { name: 'home-conformance', version: '1.0.0' }

/** @type {import('@doorplate/conformance-kit').Requirement[]} */
const requirements = [
  { id: 'HOME-1', level: 'MUST', text: 'The home page is HTML.' },
  { id: 'HOME-2', level: 'SHOULD', text: 'The home page has a title.' },
]
const requirementOf = (id) => requirements.find((requirement) => requirement.id === id)

/** @type {import('@doorplate/conformance-kit').Check<any>[]} */
const checks = [
  {
    id: 'home.html',
    title: 'The home page is HTML',
    requirements: ['HOME-1'],
    hint: 'Answer GET / with status 200 and Content-Type: text/html.',
    fatal: 'unreachable',
    run: async ({ log, url }) => {
      const exchange = await log.send({ url })
      if (!exchange.ok) return judged([{ requirement: 'HOME-1', url, ...noResponse(exchange.failure) }])
      const { status, headers } = exchange.response
      const type = headers['content-type'] ?? 'absent'
      if (status === 200 && type.startsWith('text/html')) return judged([])
      return judged([{ requirement: 'HOME-1', url, message: `Status ${status}, Content-Type ${type}.` }])
    },
  },
  {
    id: 'home.title',
    title: 'The home page has a title',
    requirements: ['HOME-2'],
    needs: ['home.html'],
    hint: 'Put a title element into the head.',
    run: async ({ log, url }) => {
      const exchange = await log.send({ url })
      const html = exchange.ok ? new TextDecoder().decode(exchange.response.body) : ''
      if (/<title>[^<]/.test(html)) return judged([])
      return judged([{ requirement: 'HOME-2', url, message: 'There is no title, or none with words.' }])
    },
  },
]

async function run(baseUrl, options) {
  const { origin } = new URL(baseUrl)
  const settings = networkSettings(options)
  const { headers, crossOriginSafeHeaders, maxRequests = 100, deadlineMs = 10_000 } = options
  const defaults = { 'user-agent': 'home-conformance' }
  const headersFor = siteHeaders({ origin, headers, crossOriginSafeHeaders, defaults })
  const fetch = createSafeFetch({
    dangerouslyAllow: privateHosts(origin, options),
    ...trustedAuthorities(options),
  })
  return checkSite(checks, {
    protocol: 'home',
    protocolVersion: '1',
    baseUrl: origin,
    runner: RUNNER,
    requirementOf,
    secrets: secretsIn(options),
    port: {
      request: followRedirects(hopOver(fetch), headersFor, settings),
      close: () => fetch.close(),
    },
    limits: { ...settings, maxRequests, deadlineMs },
    run: options,
    subject: (log) => ({ log, url: `${origin}/` }),
  })
}

const cli = siteRunnerCli({
  ...RUNNER,
  protocol: 'home',
  summary: 'Checks a home page.',
  informationUri: 'https://home.example',
  runOptions: {},
  options: [],
  optionsFrom: () => ({}),
  toUrl: withScheme,
  resolve: (baseUrl) => ({ origin: new URL(baseUrl).origin }),
  suite: () => ({ protocolVersion: '1', checks, requirementOf }),
  run,
})

await runInProcess((terminal) => runRunnerCli(cli, process.argv.slice(2), terminal))
