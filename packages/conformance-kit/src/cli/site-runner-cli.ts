import { isPlainHttpUrl } from '../plain-http-url.js'
import type { ConformanceReport } from '../report.js'
import { UsageError, type CommandLine } from './command-line.js'
import { runArguments, type RunArguments } from './run-arguments.js'
import { cliOptionsOf, valuesOf, type RunOptionTable } from './run-options.js'
import type { RunnerCli, RunnerHooks, RunnerPlan } from './run-runner-cli.js'
import { NETWORK_OPTIONS, SCHEME_HELP } from './runner-options.js'
import type { Terminal } from './terminal.js'

/** A runner that judges the site at a URL: what it does not share with others of its kind. */
export interface SiteRunner<
  Options extends object,
  Settings extends { readonly origin: string },
> extends Pick<RunnerCli, 'name' | 'version' | 'protocol' | 'summary' | 'informationUri' | 'options'> {
  /** Options of its own that the command line takes as they are; `options` are those that `optionsFrom` reads. */
  readonly runOptions: RunOptionTable<Options>
  /**
   * Reads the options that need reading, from the command line and the environment.
   *
   * @throws {UsageError} or any error with a code that `runRunnerCli` knows
   */
  readonly optionsFrom: (line: CommandLine, env: Terminal['env']) => Options
  /**
   * Makes a URL of what was typed; the help says that one without a scheme is of https, and of http on this machine. Such as
   * `withScheme` of `@doorplate/safe-fetch`.
   */
  readonly toUrl: (typed: string) => string
  /** Validates and completes the options, before any request. */
  readonly resolve: (baseUrl: string, options: Options & RunArguments) => Settings
  /** What is judged with these settings. */
  readonly suite: (settings: Settings) => Pick<RunnerPlan, 'protocolVersion' | 'checks' | 'requirementOf'>
  readonly run: (baseUrl: string, options: Options & RunArguments & RunnerHooks) => Promise<ConformanceReport>
}

/** The runner as a command for `runRunnerCli`, with the options about the network. */
export function siteRunnerCli<Options extends object, Settings extends { readonly origin: string }>(
  runner: SiteRunner<Options, Settings>,
): RunnerCli {
  const { options, runOptions, optionsFrom, toUrl, resolve, suite, run, ...about } = runner
  return {
    ...about,
    usageNote: SCHEME_HELP,
    options: [...cliOptionsOf(runOptions), ...options, ...NETWORK_OPTIONS],
    plan: (line, env) => {
      const baseUrl = baseUrlFrom(line, toUrl)
      const asked = { ...runArguments(line), ...optionsFrom(line, env), ...valuesOf(runOptions, line) }
      const settings = resolve(baseUrl ?? NO_SITE, asked)
      if (baseUrl === undefined) return suite(settings)
      return {
        ...suite(settings),
        baseUrl: settings.origin,
        run: (hooks) => run(baseUrl, { ...asked, ...hooks }),
      }
    },
  }
}

/** Options are judged, and checks listed, also without a site (RFC 2606 reserves the name). */
const NO_SITE = 'https://site.invalid'

function baseUrlFrom({ positionals }: CommandLine, toUrl: (typed: string) => string): string | undefined {
  const [typed, ...rest] = positionals
  if (rest.length > 0) throw new UsageError('There is more than one base URL.')
  if (typed === undefined) return undefined
  if (typed === '') throw new UsageError('The base URL is empty: is the variable set?')
  const url = toUrl(typed)
  if (isPlainHttpUrl(url)) return url
  throw new UsageError('The base URL must be an http or https URL without user name and password.')
}
