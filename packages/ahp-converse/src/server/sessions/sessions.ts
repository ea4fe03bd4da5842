import type { PastTurn } from '../../turn.js'
import { andThen, type Awaitable } from '../awaitable.js'
import { StageFailure } from '../fault.js'
import { createLanes } from './lanes.js'
import { createLostTurns } from './lost-turns.js'
import { createMemorySessionStore } from './memory-session-store.js'
import { createIdSource, type RandomBytes } from './session-id.js'
import type { SessionRefusal } from './session-refusal.js'
import { readSessionOptions, type SessionLimits, type SessionOptions } from './session-options.js'
import type { OpenQuestion, StoredSession } from './stored-session.js'
import { watchedStore } from './watched-store.js'

/** Whose session it is: of a principal wherever it asks from, else of an address. */
export interface SessionOwner {
  readonly address: string
  /** The id of a verified principal. */
  readonly principal?: string | undefined
}

/** A session as one turn finds it. */
export interface Session {
  readonly id: string
  readonly history: readonly PastTurn[]
  readonly awaiting?: OpenQuestion
  readonly tokensUsed: number
  /** What is left of the budget: more than 0, `Infinity` where there is none. */
  readonly tokensLeft: number
  /**
   * Counts the turn before its work, so that no work is begun that a turn too many asked for. False when another process took
   * a turn at the same time: then there must be none. What is committed after it no longer decides over the result.
   */
  reserve(): Promise<boolean>
  /** Takes that back, where no work was begun after all: the session is as it was. */
  giveBack(): Promise<void>
}

/** What one turn adds to its session. */
export interface TurnCommit {
  /** What was answered. */
  readonly turn?: PastTurn
  /** What was asked back instead. */
  readonly awaiting?: OpenQuestion
  readonly tokensUsed: number
}

export interface TurnWork<Result> {
  readonly result: Result
  /** Without it the session stays as it was, and no turn is counted. */
  readonly commit?: TurnCommit
}

export type TurnResult<Result> =
  | { readonly result: Result; readonly refusal?: never }
  | { readonly refusal: SessionRefusal; readonly result?: never }

export interface Sessions {
  /** For `rate_limits` of the manifest; empty where there is no budget. */
  readonly declared: {
    readonly unauthenticated: { readonly token_budget?: `${number}/session` }
    readonly authenticated: { readonly token_budget?: `${number}/session` }
  }
  /** Of a stranger's session. */
  readonly tokenBudget: number
  /**
   * Takes one turn: the first of a new session where there is no id. The turns of a session come one after the other, in the order
   * they were called; a visitor may be gone when `work` is called. Rejects with what `work` rejects with,
   * or with a `StageFailure` of the store.
   */
  turn<Result>(
    id: string | undefined,
    owner: SessionOwner,
    work: (session: Session) => Promise<TurnWork<Result>>,
  ): Promise<TurnResult<Result>>
  /** Takes the first turn of a new session where there is nothing to wait for. */
  begin<Result>(
    owner: SessionOwner,
    work: (id: string) => Required<TurnWork<Result>>,
  ): Awaitable<TurnResult<Result>>
  /** Undefined where the store does not tell. */
  count(): Promise<number | undefined>
}

export interface SessionContext {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Default: `crypto.getRandomValues`. */
  readonly random?: RandomBytes
  /** Told of failures that change no answer. */
  readonly onStoreError?: (error: unknown) => void
}

/** Throws `invalid_option`. */
export function createSessions(
  options: SessionOptions,
  { now, random = (bytes) => crypto.getRandomValues(bytes), onStoreError }: SessionContext,
): Sessions {
  const { anonymous, authenticated, maxSessions, maxBytes, store: given } = readSessionOptions(options)
  const store =
    given === undefined ? createMemorySessionStore({ maxSessions, maxBytes, now }) : watchedStore(given)
  const createId = createIdSource(random)
  const inLane = createLanes()
  const lost = createLostTurns()

  async function takeTurn<Result>(
    id: string,
    before: StoredSession,
    limits: Required<SessionLimits>,
    work: (session: Session) => Promise<TurnWork<Result>>,
  ): Promise<TurnResult<Result>> {
    const { history, awaiting, tokensUsed, version, givenBack = 0 } = before
    if (version - givenBack >= limits.maxTurns) return { refusal: 'turn_limit' }
    const tokensLeft = limits.tokenBudget - tokensUsed
    if (tokensLeft <= 0) return { refusal: 'token_budget' }
    const turnId = given === undefined ? undefined : createId()
    const counting = { isDone: false }
    const { result, commit } = await work({
      id,
      history,
      tokensUsed,
      tokensLeft,
      ...(awaiting && { awaiting }),
      async reserve() {
        counting.isDone = await count({ tokensUsed: 0 })
        return counting.isDone
      },
      async giveBack() {
        if (!counting.isDone) return
        forget()
        const expiresAt = now() + limits.idleMs
        await amend(id, { ...before, version: version + 1, givenBack: givenBack + 1, expiresAt }, limits)
      },
    })
    if (commit === undefined) return { result }
    if (counting.isDone) {
      await amend(id, after(commit), limits)
      return { result }
    }
    return (await count(commit)) ? { result } : { refusal: 'conflict' }

    function after(what: TurnCommit): StoredSession {
      return withTurn(before, what, { expiresAt: now() + limits.idleMs, turnId })
    }

    /** Counts the turn; false when another process took one at the same time. */
    async function count(what: TurnCommit): Promise<boolean> {
      try {
        return await store.write(id, after(what), { expectedVersion: version, ttlMs: limits.idleMs })
      } catch (error) {
        forget()
        throw error
      }
    }

    /** Whether the store has counted it or not: the visitor had nothing of it. */
    function forget(): void {
      if (turnId !== undefined) lost.note(turnId, before)
    }
  }

  /** Writes what a counted turn came to. If that fails, the turn has taken place all the same, and the session does not know it. */
  async function amend(id: string, after: StoredSession, { idleMs }: Required<SessionLimits>): Promise<void> {
    try {
      await store.write(id, after, { expectedVersion: after.version, ttlMs: idleMs })
    } catch (error) {
      onStoreError?.(error instanceof StageFailure ? error.cause : error)
    }
  }

  return {
    declared: { unauthenticated: declare(anonymous), authenticated: declare(authenticated) },
    tokenBudget: anonymous.tokenBudget,
    begin(owner, work) {
      const { idleMs } = owner.principal === undefined ? anonymous : authenticated
      const id = createId()
      const { result, commit } = work(id)
      const session = withTurn(unwritten(ownerName(owner)), commit, { expiresAt: now() + idleMs })
      return andThen(store.write(id, session, { expectedVersion: 0, ttlMs: idleMs }), (isWritten) =>
        isWritten ? { result } : { refusal: 'conflict' },
      )
    },
    turn(id, { address, principal }, work) {
      const limits = principal === undefined ? anonymous : authenticated
      const owner = ownerName({ address, principal })
      if (id === undefined) return takeTurn(createId(), unwritten(owner), limits, work)
      // The owner is in the name so that nobody can keep another's session waiting, or learn from the wait that it is there.
      return inLane(`${id} ${owner}`, async () => {
        const session = await store.read(id)
        if (session?.owner !== owner || session.expiresAt <= now()) {
          return { refusal: 'unknown_session' }
        }
        return takeTurn(id, lost.without(session), limits, work)
      })
    },
    count: async () => store.count?.(),
  }
}

export function ownerName({ address, principal }: SessionOwner): string {
  return principal === undefined ? `address ${address}` : `principal ${principal}`
}

function unwritten(owner: string): StoredSession {
  return { owner, version: 0, history: [], tokensUsed: 0, expiresAt: 0 }
}

function withTurn(
  session: StoredSession,
  { turn, awaiting, tokensUsed }: TurnCommit,
  { expiresAt, turnId }: Pick<StoredSession, 'expiresAt'> & { readonly turnId?: string | undefined },
): StoredSession {
  const { owner, version, givenBack, history } = session
  const after = {
    owner,
    version: version + 1,
    ...(givenBack !== undefined && { givenBack }),
    ...(turnId !== undefined && { turnId }),
    history: turn === undefined ? history : [...history, turn],
    tokensUsed: session.tokensUsed + tokensUsed,
    expiresAt,
  }
  return awaiting === undefined ? after : { ...after, awaiting }
}

function declare({ tokenBudget }: Required<SessionLimits>): { readonly token_budget?: `${number}/session` } {
  return tokenBudget === Infinity ? {} : { token_budget: `${tokenBudget}/session` }
}
