import type { Capability } from '@doorplate/ahp-manifest'
import { jsonSchema, tool, type JSONSchema7, type Tool } from 'ai'
import {
  checkNames,
  functionOption,
  integerOption,
  MAX_TIMER_MS,
  textsOption,
} from '../client/check-option.js'
import { onlyAnswers } from '../client/choose-capability.js'
import type { AcceptedReply, ClarificationReply, FinalReply, Reply, Session } from '../client/reply.js'
import type { Site } from '../client/site.js'
import { invalidOption, isConverseError } from '../converse-error.js'
import { toolResult, type SiteToolResult } from './tool-result.js'

/** Options of `toTools`. */
export interface ToToolsOptions {
  /** The capabilities to offer. Default: all that answer and do nothing else. */
  readonly capabilities?: readonly string[]
  /**
   * Capabilities that act, to offer as well. A model decides when to call them: `ai` 6 asks for approval before each call, `ai` 5
   * does not. Default: none.
   */
  readonly dangerouslyAllowActions?: readonly string[]
  /** Put before the names of the tools, to keep the tools of several sites apart. Default: nothing. */
  readonly prefix?: string
  /** The conversation that the tools share. Default: a new one. */
  readonly session?: Session
  /** How long a call waits for accepted work. Default 60,000. */
  readonly waitMs?: number
  /** Gets the work that had not ended by then. */
  readonly onAccepted?: (reply: AcceptedReply) => void
  /** Characters of an answer, and of a payload, that are given to the model. Default 20,000. */
  readonly maxResultLength?: number
}

/** What a model gives to a tool. */
export interface SiteToolInput {
  readonly query: string
  readonly clarification?: string | undefined
  readonly input?: Readonly<Record<string, unknown>> | undefined
}

/** The capabilities of a site as tools of the AI SDK, by name. */
export type SiteTools = Record<string, Tool<SiteToolInput, SiteToolResult>>

const NAMES = [
  'capabilities',
  'dangerouslyAllowActions',
  'prefix',
  'session',
  'waitMs',
  'onAccepted',
  'maxResultLength',
] satisfies readonly (keyof ToToolsOptions)[]

/**
 * The capabilities of a site as tools of the AI SDK. Results are marked as data; a question back is a result that asks the
 * model to call again.
 *
 * @throws {ConverseError} `invalid_option`
 */
export function toTools(site: Site, options: ToToolsOptions = {}): SiteTools {
  checkNames(options, NAMES)
  const { prefix = '', session = site.session(), onAccepted } = options
  if (!/^(?:[A-Za-z][A-Za-z0-9_-]{0,31})?$/.test(prefix))
    throw invalidOption('prefix', 'must be at most 32 letters, digits, _ and -, the first one a letter')
  if (onAccepted) functionOption('onAccepted', onAccepted, onAccepted)
  const context: ToolContext = {
    site,
    session,
    onAccepted,
    waitMs: integerOption('waitMs', options.waitMs, 60_000, { minimum: 1, maximum: MAX_TIMER_MS }),
    maxResultLength: integerOption('maxResultLength', options.maxResultLength, 20_000, { minimum: 1 }),
  }
  return Object.fromEntries(
    offeredCapabilities(site, options).map((capability) => [
      toolName(prefix, capability),
      capabilityTool(capability, context),
    ]),
  )
}

/** What models take. */
const MAX_NAME_LENGTH = 64

function toolName(prefix: string, { name }: Capability): string {
  if (prefix.length + name.length > MAX_NAME_LENGTH)
    throw invalidOption(
      'prefix',
      `is too long for the capability ${name}: a tool has ${MAX_NAME_LENGTH} characters`,
    )
  return prefix + name
}

function offeredCapabilities(site: Site, options: ToToolsOptions): readonly Capability[] {
  const { capabilities: names, dangerouslyAllowActions: actions = [] } = options
  const answering = site.capabilities.filter(onlyAnswers)
  const acting = site.capabilities.filter(
    ({ mode, action_type: type }) => mode === 'MODE3' && type !== 'query',
  )
  return [
    ...(names === undefined ? answering : named('capabilities', names, answering)),
    ...named('dangerouslyAllowActions', actions, acting),
  ]
}

function named(option: string, names: readonly string[], capabilities: readonly Capability[]): Capability[] {
  return textsOption(option, names).map((name) => {
    const found = capabilities.find((capability) => capability.name === name)
    if (found) return found
    const offered = capabilities.map((capability) => capability.name).join(', ')
    throw invalidOption(
      option,
      `must name such capabilities of the site: ${offered === '' ? 'it has none' : offered}`,
    )
  })
}

interface ToolContext {
  readonly site: Site
  readonly session: Session
  readonly onAccepted: ToToolsOptions['onAccepted']
  readonly waitMs: number
  readonly maxResultLength: number
}

function capabilityTool(capability: Capability, context: ToolContext): Tool<SiteToolInput, SiteToolResult> {
  const { origin } = new URL(context.site.manifestUrl)
  let question: ClarificationReply | undefined
  return tool({
    description: `A capability of ${origin}, which says of it: ${JSON.stringify(capability.description)}`,
    inputSchema: jsonSchema<SiteToolInput>(inputSchema(capability), { validate: validateInput }),
    needsApproval: !onlyAnswers(capability),
    execute: async ({ query, clarification, input }, { abortSignal }) => {
      const signal = abortSignal && { signal: abortSignal }
      const reply =
        question && clarification !== undefined
          ? await question.reply(clarification, signal)
          : await context.session.ask(capability.name, query, { ...signal, ...(input && { input }) })
      const ended = reply.status === 'accepted' ? await waitAWhile(reply, context, abortSignal) : reply
      question = ended.status === 'clarification_needed' ? ended : undefined
      return toolResult(ended, origin, context.maxResultLength)
    },
  })
}

async function waitAWhile(
  reply: AcceptedReply,
  { waitMs, onAccepted }: ToolContext,
  signal: AbortSignal | undefined,
): Promise<Reply | FinalReply> {
  try {
    return await reply.wait({ timeoutMs: waitMs, ...(signal && { signal }) })
  } catch (error) {
    if (!isConverseError(error, 'wait_timeout')) throw error
    onAccepted?.(reply)
    return reply
  }
}

/** Longest schema of a site that is passed on; a longer one is described as any object. */
const MAX_SCHEMA_LENGTH = 16_384

function inputSchema({ mode, input_schema: own }: Capability): JSONSchema7 {
  const input =
    own !== undefined && JSON.stringify(own).length <= MAX_SCHEMA_LENGTH ? own : { type: 'object' }
  const query = mode === 'MODE3' ? 'What is wanted, in a sentence' : 'The question'
  return {
    type: 'object',
    properties: {
      query: { type: 'string', description: query, minLength: 1, maxLength: 4_096 },
      clarification: {
        type: 'string',
        description: 'The reply to what the site asked back',
        maxLength: 1_024,
      },
      ...(mode === 'MODE3' && { input: input as JSONSchema7 }),
    },
    required: mode === 'MODE3' ? ['query', 'input'] : ['query'],
    additionalProperties: false,
  }
}

type Validation = { success: true; value: SiteToolInput } | { success: false; error: Error }

/** What the input is for the site to judge; that it has the shape of a call is checked here. */
function validateInput(value: unknown): Validation {
  if (typeof value === 'object' && value !== null) {
    const { query, clarification, input } = value as Record<string, unknown>
    const isCall =
      typeof query === 'string' &&
      (clarification === undefined || typeof clarification === 'string') &&
      (input === undefined || (typeof input === 'object' && input !== null && !Array.isArray(input)))
    if (isCall) return { success: true, value: value as SiteToolInput }
  }
  return { success: false, error: new Error('A call needs a query, which is a text.') }
}
