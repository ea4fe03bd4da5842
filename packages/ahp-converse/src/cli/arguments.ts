import { parseArgs } from 'node:util'
import { withScheme } from '@doorplate/safe-fetch'
import type { ContentUse, QuestionOptions, VisitOptions } from '../client.js'
import { meantOption } from './meant-option.js'

/** What the command line asks for. */
export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'version' }
  | (CommonArguments & { readonly name: 'visit' })
  | (CommonArguments & { readonly name: 'read' })
  | (CommonArguments & { readonly name: 'ask'; readonly question: Question; readonly waitMs: number })
  | (CommonArguments & { readonly name: 'wait'; readonly job: string; readonly waitMs: number })

export interface CommonArguments {
  readonly url: string
  readonly json: boolean
  readonly dangerouslyAllow: readonly string[]
  /** Files with certificate authorities to trust besides those of Node. */
  readonly ca: readonly string[]
  readonly visit: VisitOptions
}

export interface Question {
  readonly text: string
  readonly capability: string | undefined
  readonly sessionId: string | undefined
  readonly options: QuestionOptions
}

/** The command line is wrong; the message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const USAGE = `Usage:
  ahp visit <url>             print what a site offers to agents
  ahp read <url>              print the content that it offers to read
  ahp ask <url> <question>    ask its concierge
  ahp wait <url> <job>        collect an answer that was not there yet

A URL without a scheme is one of https, and of http on this machine (localhost:3000).
On a terminal, ask goes on: it puts the questions of the concierge to you, and takes further ones.

Options:
  --json                      print JSON, and ask nobody
  --header '<name>: <value>'  sent to the origin of the URL only; may be repeated
  --uses <a,b>                what the content is for: ai_input, ai_train, search; refuse what forbids it
  --max-seconds <n>           each request (default 30)
  --max-retry-seconds <n>     longest wait when the site asks to come back later (default 60)
  --dangerously-allow <host>  a host, host:port or address range that may be private; may be repeated
  --ca <file>                 certificate authority to trust besides the known ones, as PEM; may be repeated
  --help, -h                  print this text
  --version                   print the version of this program

Options of ask:
  --capability <name>         default: the one that suits the question, never one that acts
  --session <id>              go on with a conversation
  --input <json>              structured input of a capability that acts
  --intent <text>             what it is for
  --accept <a,b>              response types, the preferred one first
  --locale <tag>              the language of the answer
  --max-tokens <n>            the longest answer

Options of ask and wait:
  --wait-seconds <n>          how long to wait for an answer that takes time (default 600; 0: not at all)

A job is the address that ask names when the answer is not there yet, or the id of the job.
The credential for a site that needs one is taken from the environment variable AHP_TOKEN.

Exit codes:
  0    done
  1    the site refused, or its work failed
  2    the command line is wrong
  3    the site cannot be visited or asked
  4    the concierge asks back, and nobody is there to answer
  5    the answer is not there yet
  130  interrupted
`

const OPTIONS = {
  json: { type: 'boolean' },
  header: { type: 'string', multiple: true },
  uses: { type: 'string' },
  'max-seconds': { type: 'string' },
  'max-retry-seconds': { type: 'string' },
  'dangerously-allow': { type: 'string', multiple: true },
  ca: { type: 'string', multiple: true },
  capability: { type: 'string' },
  session: { type: 'string' },
  input: { type: 'string' },
  intent: { type: 'string' },
  accept: { type: 'string' },
  locale: { type: 'string' },
  'max-tokens': { type: 'string' },
  'wait-seconds': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

const COMMANDS = ['visit', 'read', 'ask', 'wait'] as const

const ASK_OPTIONS = [
  'capability',
  'session',
  'input',
  'intent',
  'accept',
  'locale',
  'max-tokens',
] as const satisfies readonly (keyof typeof OPTIONS)[]

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>['values']

/** Throws `UsageError`. */
export function parseCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Command {
  const { values, positionals } = parse(args)
  if (values.help === true) return { name: 'help' }
  if (values.version === true) return { name: 'version' }
  const [given, url, text, ...rest] = positionals
  const name = COMMANDS.find((known) => known === given)
  if (name === undefined)
    throw new UsageError(given === undefined ? 'A command is missing.' : `There is no command ${given}.`)
  if (url === undefined) throw new UsageError('A URL is missing.')
  const common = commonArguments(url, values, env)
  const stray = name === 'ask' ? undefined : ASK_OPTIONS.find((option) => values[option] !== undefined)
  if (stray !== undefined) throw new UsageError(`--${stray} is an option of ask.`)
  const takesText = name === 'ask' || name === 'wait'
  const extra = takesText ? rest : [text, ...rest].filter((argument) => argument !== undefined)
  if (extra.length > 0) throw new UsageError(`Unexpected argument: ${extra.join(' ')}`)
  if (!takesText) {
    if (values['wait-seconds'] !== undefined)
      throw new UsageError('--wait-seconds is an option of ask and wait.')
    return { name, ...common }
  }
  if (text === undefined || text.trim() === '')
    throw new UsageError(`A ${name === 'ask' ? 'question' : 'job'} is missing.`)
  const waitMs = (wholeNumber(values, 'wait-seconds', 0) ?? 600) * 1_000
  if (name === 'wait') return { name, ...common, job: text.trim(), waitMs }
  return { name, ...common, question: questionOf(text, values), waitMs }
}

function parse(args: readonly string[]): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    const [said = ''] = (error as Error).message.split(/\.\s/)
    throw new UsageError(`${said}.${meantOption(said, Object.keys(OPTIONS))}`)
  }
}

function commonArguments(
  text: string,
  values: Values,
  env: Readonly<Record<string, string | undefined>>,
): CommonArguments {
  const url = withScheme(text)
  const seconds = wholeNumber(values, 'max-seconds', 1)
  const retrySeconds = wholeNumber(values, 'max-retry-seconds', 0)
  return {
    url,
    json: values.json === true,
    dangerouslyAllow: values['dangerously-allow'] ?? [],
    ca: values.ca ?? [],
    visit: {
      requestingAgent: 'ahp-cli (doorplate)',
      headers: headersOf(values.header ?? []),
      ...(env['AHP_TOKEN'] && { credential: env['AHP_TOKEN'] }),
      ...(values.uses !== undefined && { uses: listOf(values.uses) as ContentUse[] }),
      ...(seconds !== undefined && { timeoutMs: seconds * 1_000 }),
      ...(retrySeconds !== undefined && { retry: { maxDelayMs: retrySeconds * 1_000 } }),
    },
  }
}

function questionOf(text: string, values: Values): Question {
  const { intent, locale } = values
  const maxTokens = wholeNumber(values, 'max-tokens', 1)
  return {
    text,
    capability: values.capability,
    sessionId: values.session,
    options: {
      ...(values.input !== undefined && { input: objectOf(values.input) }),
      ...(values.accept !== undefined && { acceptTypes: listOf(values.accept) }),
      ...(intent !== undefined && { intent }),
      ...(locale !== undefined && { locale }),
      ...(maxTokens !== undefined && { maxTokens }),
    },
  }
}

function listOf(text: string): string[] {
  return text.split(',').map((item) => item.trim())
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Said below.
  }
  throw new UsageError('--input needs a JSON object.')
}

type NumberOption = 'max-seconds' | 'max-retry-seconds' | 'max-tokens' | 'wait-seconds'

function wholeNumber(values: Values, option: NumberOption, minimum: number): number | undefined {
  const text = values[option]
  if (text === undefined) return undefined
  if (!/^\d{1,6}$/.test(text) || Number(text) < minimum)
    throw new UsageError(
      `--${option} needs a whole number of at least ${minimum}, not ${JSON.stringify(text)}.`,
    )
  return Number(text)
}

function headersOf(lines: readonly string[]): Record<string, string> {
  try {
    return Object.fromEntries(new Headers(lines.map(nameAndValue)))
  } catch {
    // What was given is not repeated: it may be a secret.
    throw new UsageError("--header needs '<name>: <value>'.")
  }
}

/** An empty name, which is refused, where there is no colon. */
function nameAndValue(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^:]+):(.*)$/s.exec(line) ?? []
  return [name, value.trim()]
}
