import type { ToolSet } from 'ai'
import { invalidOption, unknownOption } from '../converse-error.js'
import type { Knowledge } from '../knowledge/create-knowledge.js'
import { checkFunction } from '../server/check-option.js'
import { createFaultPrinter, type PrintedFault } from '../server/observe/fault-printer.js'

/** What `createKnowledge` makes; anything of this shape will do. */
export type KnowledgeForModel = Pick<Knowledge, 'answer' | 'retrieve'>

/** Options of `answerWith`. */
export interface AnswerWithOptions {
  /** Where the sources come from, and the answer where the model fails. */
  readonly knowledge: KnowledgeForModel
  /** What the site tells the model: its tone, what it stands for. Trusted, so nothing that a visitor wrote may be in it. */
  readonly instructions?: string
  /** Tools of the AI SDK, each with `execute`. */
  readonly tools?: ToolSet
  /** Names of the tools that the model may call for this capability. Default: none. */
  readonly allowedTools?: readonly string[]
  /** How many times the model may call tools before it must answer. Default: 3. */
  readonly maxToolRounds?: number
  /** Over all rounds; further calls are refused. Default: 8. */
  readonly maxToolCalls?: number
  /** Default: 4,000. */
  readonly maxToolResultCharacters?: number
  /** Default: 6. */
  readonly maxPassages?: number
  /** Of each passage. Default: 2,000. */
  readonly maxPassageCharacters?: number
  /** Default: 2,000. */
  readonly maxQueryCharacters?: number
  /** Latest turns of the session that the model sees. Default: 4. */
  readonly maxHistoryTurns?: number
  /** Of each question and of each answer among them. Default: 1,000. */
  readonly maxHistoryCharacters?: number
  /** What the model may write, where the visitor does not ask for less. Default: 800. */
  readonly maxOutputTokens?: number
  /** For the whole answer, tools included. Default: 30,000. */
  readonly timeoutMs?: number
  /** Of a model call that failed. Default: 1. */
  readonly maxRetries?: number
  /** When the model fails or is too slow: the extractive answer, or the error. Default: `extractive`. */
  readonly onModelFailure?: 'extractive' | 'throw'
  /** Told of every failure of the model or a tool. Default: prints a line of those that a visitor does not see. */
  readonly onError?: (error: unknown) => void
  /** 16 random bytes that nobody can foresee. Default: `crypto.getRandomValues`. */
  readonly random?: () => Uint8Array
}

type ModelFault = Extract<PrintedFault, { stage: 'model' | 'tool' }>

export type Settings = Required<Omit<AnswerWithOptions, 'instructions' | 'tools' | 'onError'>> & {
  readonly instructions: string
  readonly tools: ToolSet
  readonly onError: (error: unknown, fault: ModelFault) => void
}

type NumberOption = {
  [Name in keyof Settings]: Settings[Name] extends number ? Name : never
}[keyof Settings]

const NUMBERS: Readonly<
  Record<NumberOption, readonly [byDefault: number, minimum: number, maximum: number]>
> = {
  maxToolRounds: [3, 0, 100],
  maxToolCalls: [8, 0, 1000],
  maxToolResultCharacters: [4000, 1, 1_000_000],
  maxPassages: [6, 1, 100],
  maxPassageCharacters: [2000, 1, 1_000_000],
  maxQueryCharacters: [2000, 1, 100_000],
  maxHistoryTurns: [4, 0, 100],
  maxHistoryCharacters: [1000, 1, 1_000_000],
  maxOutputTokens: [800, 1, 1_000_000],
  timeoutMs: [30_000, 1, 2_147_483_647],
  maxRetries: [1, 0, 10],
}
const OPTIONS = [
  ...['knowledge', 'instructions', 'tools', 'allowedTools', 'onModelFailure', 'onError', 'random'],
  ...Object.keys(NUMBERS),
]

/** @throws {ConverseError} `invalid_option` for the first option that cannot be used */
export function checkSettings(options: AnswerWithOptions): Settings {
  for (const name of Object.keys(options)) {
    if (!OPTIONS.includes(name)) throw unknownOption(name, OPTIONS)
  }
  const { knowledge, instructions = '', onModelFailure = 'extractive' } = options
  for (const method of ['answer', 'retrieve'] as const) {
    if (typeof (knowledge as Partial<KnowledgeForModel> | undefined)?.[method] !== 'function') {
      throw invalidOption(`knowledge.${method}`, 'must be a function')
    }
  }
  if (typeof instructions !== 'string') throw invalidOption('instructions', 'must be a text')
  if (!['extractive', 'throw'].includes(onModelFailure)) {
    throw invalidOption('onModelFailure', 'must be "extractive" or "throw"')
  }
  for (const name of ['onError', 'random'] as const) checkFunction(name, options[name])
  const onError = listenerOf(options.onError, onModelFailure)
  const { random = randomBytes } = options
  const numbers = Object.fromEntries(
    Object.entries(NUMBERS).map(([name, range]) => [
      name,
      checkNumber(name, options[name as NumberOption], range),
    ]),
  ) as Pick<Settings, NumberOption>
  const allowedTools = options.allowedTools ?? []
  const tools = allowed(options.tools ?? {}, allowedTools)
  return { ...numbers, knowledge, instructions, onModelFailure, onError, random, allowedTools, tools }
}

function listenerOf(
  onError: AnswerWithOptions['onError'],
  onModelFailure: Settings['onModelFailure'],
): Settings['onError'] {
  if (onError !== undefined)
    return (error) => {
      onError(error)
    }
  const print = createFaultPrinter()
  return (error, fault) => {
    // What is thrown, the concierge tells.
    if (fault.stage === 'tool' || onModelFailure === 'extractive') print(error, fault)
  }
}

function checkNumber(
  name: string,
  value: number | undefined,
  [byDefault, minimum, maximum]: readonly [number, number, number],
): number {
  const number = value ?? byDefault
  if (Number.isSafeInteger(number) && number >= minimum && number <= maximum) return number
  throw invalidOption(name, `must be a whole number from ${minimum} to ${maximum}`)
}

/** The tools that are named, and no others. */
function allowed(tools: ToolSet, names: readonly string[]): ToolSet {
  const isList: boolean = Array.isArray(names)
  if (!isList) throw invalidOption('allowedTools', 'must be a list of names')
  const chosen: ToolSet = {}
  for (const name of names) {
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
    if (tool?.execute === undefined) throw invalidOption(`tools.${name}`, 'must be a tool with execute')
    chosen[name] = tool
  }
  return chosen
}

function randomBytes(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(16))
}
