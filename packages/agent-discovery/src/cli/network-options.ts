import { resolveTxt } from 'node:dns/promises'
import type { CliOption, CommandLine } from '@doorplate/conformance-kit/cli'
import { createSafeFetch, type SafeFetch } from '@doorplate/safe-fetch'
import type { DiscoverOptions } from '../discover/start-discovery.js'

/** Options of both commands about what is asked and how. */
export const NETWORK_OPTIONS: readonly CliOption[] = [
  { name: 'no-probe', kind: 'flag', help: 'do not ask for conventional paths' },
  { name: 'extended', kind: 'flag', help: 'also ask for the less usual paths' },
  { name: 'head', kind: 'flag', help: 'ask by HEAD only; nothing can be verified then' },
  {
    name: 'verify',
    kind: 'text',
    value: '<which>',
    help: 'fetch what is named: none, same-origin (default) or any-origin',
  },
  { name: 'user-agent', kind: 'text', value: '<text>', help: 'User-Agent of every request' },
  { name: 'dns', kind: 'flag', help: 'also ask DNS for the record of an agent (AID, _agent TXT)' },
  { name: 'allow-private-network', kind: 'flag', help: 'let the host of the given URL be a private one' },
  {
    name: 'dangerously-allow',
    kind: 'list',
    value: '<host>',
    help: 'another host, host:port or CIDR block that may be private; repeatable',
  },
  { name: 'timeout', kind: 'integer', value: '<ms>', help: 'time for one request (5000)' },
  { name: 'deadline', kind: 'integer', value: '<ms>', help: 'time for everything (20000)' },
  { name: 'max-requests', kind: 'integer', value: '<n>', help: 'requests in all (60)' },
  { name: 'concurrency', kind: 'integer', value: '<n>', help: 'requests at a time (4)' },
]

/** Options for `discover` at a URL, and the transport, which the caller closes. */
export function readNetworkOptions(
  url: string,
  line: CommandLine,
  signal: AbortSignal,
): { options: DiscoverOptions; fetch: SafeFetch } {
  const own = line.flag('allow-private-network') && URL.canParse(url) ? [hostAndPort(new URL(url))] : []
  const fetch = createSafeFetch({ dangerouslyAllow: [...own, ...line.list('dangerously-allow')] })
  const given = {
    verify: line.text('verify') as DiscoverOptions['verify'],
    userAgent: line.text('user-agent'),
    timeoutMs: line.integer('timeout'),
    deadlineMs: line.integer('deadline'),
    maxRequests: line.integer('max-requests'),
    concurrency: line.integer('concurrency'),
  }
  const present = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as DiscoverOptions
  return {
    fetch,
    options: {
      ...present,
      fetch,
      signal,
      probe: !line.flag('no-probe'),
      extended: line.flag('extended'),
      method: line.flag('head') ? 'HEAD' : 'GET',
      ...(line.flag('dns') && { resolver: { resolveTxt } }),
    },
  }
}

function hostAndPort({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`
}
