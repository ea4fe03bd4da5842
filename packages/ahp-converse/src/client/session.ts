import type { AskOptions, Reply } from './reply.js'

type AskInSession = (
  session: Session,
  capability: string | undefined,
  query: string,
  options: Omit<AskOptions, 'session'>,
) => Promise<Reply>

/** One conversation with a site. Its turns go one after the other, also when they are asked for at the same time. */
export class Session {
  readonly #ask: AskInSession
  #id: string | undefined
  #lastTurn: Promise<unknown> = Promise.resolve()

  constructor(ask: AskInSession, id: string | undefined) {
    this.#ask = ask
    this.#id = id
  }

  /** By which the site knows it; undefined before the first answer. Whoever has it may go on with an anonymous conversation. */
  get id(): string | undefined {
    return this.#id
  }

  /** Asks in this conversation; otherwise as `ask` of the site. */
  ask(
    capability: string | undefined,
    query: string,
    options: Omit<AskOptions, 'session'> = {},
  ): Promise<Reply> {
    return this.#ask(this, capability, query, options)
  }

  /** @internal Does the work of a turn when the turns before it are done, and notes the id that the site gave. */
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

/** @internal */
export interface TurnResult {
  readonly reply: Reply
  readonly sessionId?: string | null | undefined
}
