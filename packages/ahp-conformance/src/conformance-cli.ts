import { AHP_VERSION } from '@doorplate/ahp-manifest'
import {
  given,
  readArgumentFile,
  siteRunnerCli,
  UsageError,
  type CliOption,
  type CommandLine,
  type RunnerCli,
  type RunOptionTable,
} from '@doorplate/conformance-kit/cli'
import { withScheme } from '@doorplate/safe-fetch'
import { conformanceChecks } from './checks/conformance-checks.js'
import { resolveOptions, type RunConformanceOptions } from './options.js'
import { RUNNER } from './package-version.js'
import { PROBES, type Probe, type Probes } from './probes.js'
import { readKnowledge, type Knowledge } from './knowledge.js'
import { PROFILES } from './profiles.js'
import { requirementOf } from './requirements.js'
import { runConformance } from './run-conformance.js'

const PROBE_HELP: Readonly<Record<keyof Probes, string>> = {
  question: 'an open question (default: capabilities of MODE2 are tried)',
  ambiguous: 'a question that makes the concierge ask back',
  member: 'a question that needs the token and changes nothing',
  action: 'an action; it IS performed, with the token',
  job: 'work that is answered later; it IS started, several times',
  forbidden: 'a question for which the token has too few rights',
  failing: 'a question that makes the concierge fail',
  unavailable: 'a question that cannot be answered now',
}

const RUN_OPTIONS: RunOptionTable<RunConformanceOptions> = {
  profile: {
    kind: 'text',
    value: '<p>',
    help: `part to judge: ${Object.keys(PROFILES).join(', ')} (default: what the site declares)`,
  },
  maxTurns: { kind: 'integer', value: '<n>', help: 'turns that a session may have (default 10)' },
  sessionIdleMs: { kind: 'integer', value: '<ms>', help: 'judge that a session ends after this time' },
  jobTimeoutMs: { kind: 'integer', value: '<ms>', help: 'longest wait for work (default 60000)' },
  rate: { kind: 'flag', help: 'at the end ask until the site refuses' },
  maxRateRequests: { kind: 'integer', value: '<n>', help: 'requests for that (default 300)' },
  maxWaitMs: { kind: 'integer', value: '<ms>', help: 'longest wait for a limit (default 90000)' },
}

const OPTIONS: readonly CliOption[] = [
  {
    name: 'token',
    kind: 'text',
    value: '<secret>',
    help: 'sent as the manifest says, where a check is about it (default: AHP_TOKEN of the environment)',
  },
  {
    name: 'probes',
    kind: 'text',
    value: '<file>',
    help: 'JSON with all that is known of the site; options come before it',
  },
  ...PROBES.map((name): CliOption => ({ name, kind: 'text', value: '<probe>', help: PROBE_HELP[name] })),
  { name: 'page', kind: 'list', value: '<path>', help: 'page that holds the notice (default /); repeatable' },
  {
    name: 'callback-url',
    kind: 'text',
    value: '<url>',
    help: 'URL that leads to this process, for callbacks',
  },
  { name: 'callback-port', kind: 'integer', value: '<n>', help: 'port on 127.0.0.1 that it leads to' },
]

/** The command `ahp-conformance`. */
export const conformanceCli: RunnerCli = siteRunnerCli({
  ...RUNNER,
  protocol: 'AHP',
  summary: 'Checks a deployed AHP site from the outside. `ahp-conformance agent` judges an agent instead.',
  informationUri: 'https://github.com/doorplate/doorplate/tree/main/packages/ahp-conformance#readme',
  runOptions: RUN_OPTIONS,
  options: OPTIONS,
  optionsFrom,
  toUrl: withScheme,
  resolve: resolveOptions,
  suite: (settings) => ({
    protocolVersion: AHP_VERSION,
    checks: conformanceChecks(settings),
    requirementOf,
  }),
  run: runConformance,
})

function optionsFrom(
  line: CommandLine,
  env: Readonly<Record<string, string | undefined>>,
): RunConformanceOptions {
  const url = line.text('callback-url')
  const port = line.integer('callback-port')
  if (url === undefined && port !== undefined) throw new UsageError('--callback-port needs --callback-url.')
  if (url !== undefined && port === undefined) throw new UsageError('--callback-url needs --callback-port.')
  const known = knowledgeFrom(line)
  const said = given({
    credential: line.text('token') ?? notEmpty(env['AHP_TOKEN']),
    pages: line.list('page').length > 0 ? line.list('page') : undefined,
    callback: url === undefined ? undefined : { url, ...given({ port }) },
  })
  const probes = Object.fromEntries(PROBES.flatMap((name) => probeFrom(line, name)))
  return { ...known, ...said, probes: { ...known.probes, ...probes } }
}

/** A variable that is set to nothing is as good as not set. */
function notEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}

function knowledgeFrom(line: CommandLine): Knowledge {
  const path = line.text('probes')
  if (path === undefined) return {}
  return readKnowledge(readArgumentFile('probes', path))
}

/** `capability`, `capability=question` or `capability={"its":"input"}`. */
function probeFrom(line: CommandLine, name: string): readonly (readonly [string, Probe])[] {
  const text = line.text(name)
  if (text === undefined) return []
  const [, capability = '', said] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? []
  if (capability === '') throw new UsageError(`--${name} must be of the form capability=question.`)
  if (said === undefined) return [[name, { capability }]]
  if (!said.startsWith('{')) return [[name, { capability, query: said }]]
  try {
    return [[name, { capability, input: JSON.parse(said) as Readonly<Record<string, unknown>> }]]
  } catch (cause) {
    throw new UsageError(`--${name} must be of the form capability={"its":"input"}.`, { cause })
  }
}
