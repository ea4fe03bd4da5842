import {
  isConverseError,
  type AcceptedReply,
  type ClarificationReply,
  type FinalReply,
  type Reply,
  type Session,
} from '../client.js'
import type { Question } from './arguments.js'
import { choices, describeReply, replyData } from './describe-reply.js'
import { plainJson, plainLine } from './plain-text.js'
import { shellWord } from './shell-word.js'
import { Spinner } from './spinner.js'
import type { Terminal } from './terminal.js'

export interface DialogueSettings {
  /** The site, as it was given. */
  readonly url: string
  readonly json: boolean
  /** Whether somebody sits there who answers what is asked back. */
  readonly asksBack: boolean
  /** How long to wait for accepted work. */
  readonly waitMs: number
  readonly signal: AbortSignal
}

/** A question and whatever follows from it. */
export class Dialogue {
  readonly #terminal: Terminal
  readonly #settings: DialogueSettings
  readonly #asksBack: boolean

  constructor(terminal: Terminal, settings: DialogueSettings) {
    this.#terminal = terminal
    this.#settings = settings
    this.#asksBack = settings.asksBack
  }

  /** The reply to work that was accepted earlier. */
  async collect(accepted: AcceptedReply): Promise<AcceptedReply | FinalReply> {
    const reply = await this.#wait(accepted)
    await this.#print(reply)
    return reply
  }

  /** The last reply. */
  async hold(session: Session, question: Question): Promise<Reply | FinalReply> {
    for (let { text } = question; ;) {
      const reply = await this.#settle(await this.#ask(session, { ...question, text }))
      await this.#print(reply)
      const next = this.#asksBack && reply.status === 'success' ? await this.#nextQuestion(reply) : undefined
      if (next === undefined) return reply
      text = next
    }
  }

  #ask(session: Session, { capability, text, options }: Question): Promise<Reply> {
    const { signal } = this.#settings
    return this.#spinning('Asking', () => session.ask(capability, text, { ...options, signal }))
  }

  /** Answers what the concierge asks back, and waits for what takes time. */
  async #settle(first: Reply): Promise<Reply | FinalReply> {
    let reply: Reply | FinalReply = first
    for (;;) {
      if (reply.status === 'accepted' && this.#settings.waitMs > 0) {
        const ended = await this.#wait(reply)
        if (ended.status === 'accepted') return ended
        reply = ended
      } else if (reply.status === 'clarification_needed' && this.#asksBack) {
        const asked: ClarificationReply = reply
        await this.#terminal.out(describeReply(asked))
        const typed = await this.#choose('Your answer: ', asked.options)
        if (typed === undefined) return asked
        reply = await this.#spinning('Asking', () => asked.reply(typed, { signal: this.#settings.signal }))
      } else return reply
    }
  }

  async #wait(reply: AcceptedReply): Promise<AcceptedReply | FinalReply> {
    const { signal, waitMs } = this.#settings
    const spinner = new Spinner(this.#terminal, 'The site is at work')
    spinner.show({ progress: undefined, etaSeconds: reply.etaSeconds })
    try {
      return await reply.wait({
        timeoutMs: Math.max(1, waitMs),
        // No time to wait: one look, however fast it is.
        ...(waitMs === 0 && { maxPolls: 1 }),
        onPending: (state) => {
          spinner.show(state)
        },
        signal,
      })
    } catch (error) {
      if (isConverseError(error, 'wait_timeout')) return reply
      throw error
    } finally {
      spinner.stop()
    }
  }

  async #nextQuestion({
    suggestedQueries,
  }: Extract<Reply, { status: 'success' }>): Promise<string | undefined> {
    if (suggestedQueries.length > 0) await this.#terminal.out(`\nAsk next\n${choices(suggestedQueries)}`)
    return this.#choose('\nNext question (empty to end): ', suggestedQueries)
  }

  /** One of the texts by its number, or whatever else was typed; undefined for nothing. */
  async #choose(question: string, texts: readonly string[]): Promise<string | undefined> {
    const typed = (await this.#terminal.prompt(question))?.trim()
    if (typed === undefined || typed === '') return undefined
    return /^\d{1,3}$/.test(typed) ? (texts[Number(typed) - 1] ?? typed) : typed
  }

  async #print(reply: Reply | FinalReply): Promise<void> {
    if (this.#settings.json) return this.#terminal.out(plainJson(replyData(reply)))
    // A question back was put to whoever sits there.
    if (reply.status === 'clarification_needed' && this.#asksBack) return
    const isAnswer = reply.status === 'success' || reply.status === 'clarification_needed'
    if (isAnswer) await this.#terminal.out(describeReply(reply))
    else this.#terminal.err(describeReply(reply))
    if (reply.status === 'accepted')
      this.#terminal.err(
        `Collect it with: ahp wait ${asWord(this.#settings.url)} ${asWord(reply.handle.pollUrl ?? reply.jobId)}\n`,
      )
    const { id } = reply.session
    if (isAnswer && id !== undefined && plainLine(id) === id && !this.#asksBack)
      this.#terminal.err(`\nGo on with --session${id.startsWith('-') ? '=' : ' '}${asWord(id)}\n`)
  }

  async #spinning<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
    const spinner = new Spinner(this.#terminal, text)
    try {
      return await work()
    } finally {
      spinner.stop()
    }
  }
}

/** Text of a site as a word to be typed. */
function asWord(text: string): string {
  return shellWord(plainLine(text, 2_000))
}
