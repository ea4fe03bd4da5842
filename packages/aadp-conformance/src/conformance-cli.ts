import { SUPPORTED_VERSIONS, type AadpVersion } from '@doorplate/aadp-schemas'
import {
  given,
  siteRunnerCli,
  UsageError,
  type CliOption,
  type CommandLine,
  type RunnerCli,
  type RunOptionTable,
} from '@doorplate/conformance-kit/cli'
import { withScheme } from '@doorplate/safe-fetch'
import { conformanceChecks } from './checks/conformance-checks.js'
import { UnsupportedConformanceVersionError } from './errors.js'
import { resolveOptions, type RunConformanceOptions } from './options.js'
import { RUNNER } from './package-version.js'
import { PROFILES } from './profiles.js'
import { requirementOf } from './requirements.js'
import { runConformance } from './run-conformance.js'

const RUN_OPTIONS: RunOptionTable<RunConformanceOptions> = {
  profile: {
    kind: 'text',
    value: '<p>',
    help: `limits to begin with: ${Object.keys(PROFILES).join(', ')}`,
  },
  seed: { kind: 'integer', value: '<n>', help: 'picks the sample; every report names its seed' },
  maxPages: { kind: 'integer', value: '<n>', help: 'sitemap pages read' },
  maxEntities: { kind: 'integer', value: '<n>', help: 'entities read' },
  maxSitemaps: { kind: 'integer', value: '<n>', help: 'sitemaps read' },
  concurrency: { kind: 'integer', value: '<n>', help: 'documents read at the same time (default 4)' },
}

const OPTIONS: readonly CliOption[] = [
  {
    name: 'protocol-version',
    kind: 'text',
    value: '<v>',
    help: `${SUPPORTED_VERSIONS.join(' or ')} (default 1.0)`,
  },
  { name: 'entities', kind: 'text', value: '<n|all>', help: 'entities to read (default 25, a sample)' },
  {
    name: 'unknown-entity-url',
    kind: 'text',
    value: '<url>',
    help: 'an entity that does not exist, of a type that does',
  },
  {
    name: 'unknown-type-url',
    kind: 'text',
    value: '<url>',
    help: 'a sitemap or entity of a type that does not exist',
  },
  {
    name: 'retry-max-attempts',
    kind: 'integer',
    value: '<n>',
    help: 'attempts for one request (default 1, 3 with the next two)',
  },
  { name: 'retry-base-delay', kind: 'integer', value: '<ms>', help: 'ceiling of the first delay' },
  { name: 'retry-max-delay', kind: 'integer', value: '<ms>', help: 'no delay is longer' },
]

/** The command `aadp-conformance`. */
export const conformanceCli: RunnerCli = siteRunnerCli({
  ...RUNNER,
  protocol: 'AADP',
  summary: 'Checks a deployed AADP site from the outside.',
  informationUri: 'https://github.com/doorplate/doorplate/tree/main/packages/aadp-conformance#readme',
  runOptions: RUN_OPTIONS,
  options: OPTIONS,
  optionsFrom,
  toUrl: withScheme,
  resolve: resolveOptions,
  suite: ({ version }) => ({
    protocolVersion: version,
    checks: conformanceChecks(version),
    requirementOf,
  }),
  run: runConformance,
})

function optionsFrom(line: CommandLine): RunConformanceOptions {
  const retry = {
    maxAttempts: line.integer('retry-max-attempts'),
    baseDelayMs: line.integer('retry-base-delay'),
    maxDelayMs: line.integer('retry-max-delay'),
  }
  const hasRetry = Object.values(retry).some((value) => value !== undefined)
  return given({
    protocolVersion: versionFrom(line.text('protocol-version')),
    entities: entitiesFrom(line.text('entities')),
    negativeTargets: given({
      unknownEntityUrl: line.text('unknown-entity-url'),
      unknownTypeUrl: line.text('unknown-type-url'),
    }),
    retry: hasRetry ? given(retry) : undefined,
  })
}

function versionFrom(text: string | undefined): AadpVersion | undefined {
  const known = SUPPORTED_VERSIONS.find((version) => version === text)
  if (text !== undefined && known === undefined) throw new UnsupportedConformanceVersionError(text)
  return known
}

function entitiesFrom(text: string | undefined): number | 'all' | undefined {
  if (text === undefined || text === 'all') return text
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError('--entities must be a whole number of at least 1, or all.')
  return Number(text)
}
