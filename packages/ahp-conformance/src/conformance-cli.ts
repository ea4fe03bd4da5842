import { AHP_VERSION } from '@doorplate/ahp-manifest'
import {
  asUsage,
  baseUrlFrom,
  given,
  NETWORK_OPTIONS,
  readArgumentFile,
  runArguments,
  UsageError,
  type CliOption,
  type CommandLine,
  type RunnerCli,
  type RunnerPlan,
} from '@doorplate/conformance-kit/cli'
import { withScheme } from '@doorplate/safe-fetch'
import { conformanceChecks } from './checks/conformance-checks.js'
import { isAhpConformanceError } from './errors.js'
import { resolveOptions, type RunConformanceOptions } from './options.js'
import { RUNNER } from './package-version.js'
import { PROBES, type Probe, type Probes } from './probes.js'
import { readKnowledge, type Knowledge } from './knowledge.js'
import { PROFILES, type Profile } from './profiles.js'
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

type Environment = Parameters<RunnerCli['plan']>[1]

/** The command `ahp-conformance`. */
export const conformanceCli: RunnerCli = {
  ...RUNNER,
  protocol: 'AHP',
  summary: 'Checks a deployed AHP site from the outside. `ahp-conformance agent` judges an agent instead.',
  informationUri: 'https://github.com/doorplate/doorplate/tree/main/packages/ahp-conformance#readme',
  options: [...ahpOptions(), ...NETWORK_OPTIONS],
  plan,
}

function ahpOptions(): readonly CliOption[] {
  return [
    {
      name: 'profile',
      kind: 'text',
      value: '<p>',
      help: `part to judge: ${Object.keys(PROFILES).join(', ')} (default: what the site declares)`,
    },
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
      help: 'JSON with all that is known of the site, in place of the options below',
    },
    ...PROBES.map((name): CliOption => ({ name, kind: 'text', value: '<probe>', help: PROBE_HELP[name] })),
    {
      name: 'page',
      kind: 'list',
      value: '<path>',
      help: 'page that holds the notice (default /); repeatable',
    },
    { name: 'max-turns', kind: 'integer', value: '<n>', help: 'turns that a session may have (default 10)' },
    {
      name: 'session-idle',
      kind: 'integer',
      value: '<ms>',
      help: 'judge that a session ends after this time',
    },
    { name: 'job-timeout', kind: 'integer', value: '<ms>', help: 'longest wait for work (default 60000)' },
    {
      name: 'callback-url',
      kind: 'text',
      value: '<url>',
      help: 'URL that leads to this process, for callbacks',
    },
    { name: 'callback-port', kind: 'integer', value: '<n>', help: 'port on 127.0.0.1 that it leads to' },
    { name: 'rate', kind: 'flag', help: 'at the end ask until the site refuses' },
    { name: 'max-rate-requests', kind: 'integer', value: '<n>', help: 'requests for that (default 300)' },
    { name: 'max-wait', kind: 'integer', value: '<ms>', help: 'longest wait for a limit (default 90000)' },
  ]
}

function plan(line: CommandLine, env: Environment): RunnerPlan {
  const typed = baseUrlFrom(line)
  const baseUrl = typed === undefined ? undefined : withScheme(typed)
  const options = optionsFrom(line, env)
  const settings = asUsage(
    () => resolveOptions(baseUrl ?? 'https://site.invalid', options),
    isAhpConformanceError,
  )
  const about = { protocolVersion: AHP_VERSION, checks: conformanceChecks(settings), requirementOf }
  if (baseUrl === undefined) return about
  return {
    ...about,
    baseUrl: settings.origin,
    run: (hooks) => runConformance(baseUrl, { ...options, ...hooks }),
  }
}

function optionsFrom(line: CommandLine, env: Environment): RunConformanceOptions {
  const url = line.text('callback-url')
  const port = line.integer('callback-port')
  if (url === undefined && port !== undefined) throw new UsageError('--callback-port needs --callback-url.')
  if (url !== undefined && port === undefined) throw new UsageError('--callback-url needs --callback-port.')
  const known = knowledgeFrom(line)
  const said = given({
    ...runArguments(line),
    profile: line.text('profile') as Profile | undefined,
    credential: line.text('token') ?? notEmpty(env['AHP_TOKEN']),
    pages: line.list('page').length > 0 ? line.list('page') : undefined,
    maxTurns: line.integer('max-turns'),
    sessionIdleMs: line.integer('session-idle'),
    jobTimeoutMs: line.integer('job-timeout'),
    callback: url === undefined ? undefined : { url, ...given({ port }) },
    rate: line.flag('rate') || undefined,
    maxRateRequests: line.integer('max-rate-requests'),
    maxWaitMs: line.integer('max-wait'),
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
  const text = readArgumentFile('probes', path)
  return asUsage(() => readKnowledge(text), isAhpConformanceError)
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
