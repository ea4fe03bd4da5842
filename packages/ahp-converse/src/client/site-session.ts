import type { QuestionOptions, Reply, Session } from './reply.js'

type AskInSession = (
  session: SiteSession,
  capability: string | undefined,
  query: string,
  options: QuestionOptions,
) => Promise<Reply>

/** A conversation, and the order of its turns. */
export class SiteSession implements Session {
  readonly #ask: AskInSession
  #id: string | undefined
  #lastTurn: Promise<unknown> = Promise.resolve()

  constructor(ask: AskInSession, id: string | undefined) {
    this.#ask = ask
    this.#id = id
  }

  get id(): string | undefined {
    return this.#id
  }

  ask(capability: string | undefined, query: string, options: QuestionOptions = {}): Promise<Reply> {
    return this.#ask(this, capability, query, options)
  }

  /** Does the work of a turn when the turns before it are done, and notes the id that the site gave. */
  turn(work: (id: string | undefined) => Promise<TurnResult>): Promise<Reply> {
    const turn = this.#lastTurn.then(async () => {
      const { reply, sessionId } = await work(this.#id)
      this.#id = sessionId ?? this.#id
      return reply
    })
    this.#lastTurn = turn.catch(() => undefined)
    return turn
  }
}

export interface TurnResult {
  readonly reply: Reply
  readonly sessionId?: string | null | undefined
}
