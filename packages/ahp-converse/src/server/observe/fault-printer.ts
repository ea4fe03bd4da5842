import { oneLine } from '../../one-line.js'
import type { Fault } from '../fault.js'
import { redact } from './redact.js'

/** Where something went wrong that nobody listens to: on a site, or in what has an `onError` of its own. */
export type PrintedFault =
  | Fault
  | { readonly stage: 'desk' | 'queue' }
  | { readonly stage: 'model'; readonly capability: string }
  | { readonly stage: 'tool'; readonly tool: string }

export type FaultPrinter = (error: unknown, fault: PrintedFault) => void

const REPEAT_MS = 60_000
/** When so many lines are remembered they are forgotten. */
const MAX_REMEMBERED = 1000
const MAX_REASON_LENGTH = 500
/** What is away fails every request. */
const PASSING: ReadonlySet<string> = new Set(['verify', 'state', 'callback'])

const ADVICE: Readonly<Record<PrintedFault['stage'], string>> = {
  verify: 'Look at verify and identifyAgent.',
  state: 'Look at the stores.',
  answer: 'Look at answer of the capability.',
  callback: 'Look at callbacks.',
  inbox: 'Look at notify of inbox, and at listeners of the inbox.',
  content: 'Look at llmsTxtContent of knowledge.',
  health: 'Look at checks of health, and at the stores.',
  respond: 'Look at faces, or report it to @doorplate/ahp-converse.',
  desk: 'Look at authenticate of the desk, and at the stores.',
  queue: 'Look at connection of the queue, and at what is in it.',
  model: 'The answer was quoted from knowledge instead. Look at the model.',
  tool: 'Look at execute of the tool.',
}

/** Prints what nobody listens to: each failed request, and once a minute at most what nobody or everybody notices. */
export function createFaultPrinter({ now = Date.now }: { readonly now?: () => number } = {}): FaultPrinter {
  const printedAt = new Map<string, number>()

  function isRepeated(line: string): boolean {
    const age = now() - (printedAt.get(line) ?? -Infinity)
    if (age >= 0 && age < REPEAT_MS) return true
    if (printedAt.size >= MAX_REMEMBERED) printedAt.clear()
    printedAt.set(line, now())
    return false
  }

  return (error, fault) => {
    const what = `failed at ${placeOf(fault)}: ${reasonOf(error)}. ${ADVICE[fault.stage]}`
    const requestId = 'requestId' in fault ? fault.requestId : undefined
    if ((requestId === undefined || PASSING.has(fault.stage)) && isRepeated(what)) return
    console.error(`[ahp-converse] ${requestId === undefined ? 'Something' : `Request ${requestId}`} ${what}`)
  }
}

function placeOf(fault: PrintedFault): string {
  const subject = 'tool' in fault ? fault.tool : 'capability' in fault ? fault.capability : undefined
  return subject === undefined
    ? fault.stage
    : `${fault.stage} of ${JSON.stringify(oneLine(subject, MAX_REASON_LENGTH))}`
}

/** What was thrown and what that is due to, without what looks like a credential, on one line. */
function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  const reason = cause === undefined ? messageOf(error) : `${messageOf(error)}, caused by ${messageOf(cause)}`
  return oneLine(redact(reason), MAX_REASON_LENGTH).replace(/\.$/, '')
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (!(error instanceof Error)) return `a thrown ${error === null ? 'null' : typeof error}`
  const { code } = error as { readonly code?: unknown }
  const name = typeof code === 'string' ? `${error.name} (${code})` : error.name
  return `${name}: ${error.message || 'without a message'}`
}
