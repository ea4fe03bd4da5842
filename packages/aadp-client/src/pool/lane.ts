import { Fifo } from './fifo.js'
import type { Held } from './read-ahead.js'

/** A source of tasks that arrive in batches; `undefined` ends it. `next` is not called again before it settled. */
export interface Lane<Task> {
  next(): Promise<readonly Task[] | undefined>
}

/** The place of a result in the order of its lane. */
export interface Slot<Result> {
  isDone: boolean
  held: Held<Result> | undefined
}

/** What a pool keeps about a lane: tasks that wait, and results that wait for earlier ones. */
export class LaneState<Task, Result> {
  readonly source: Lane<Task>
  readonly index: number
  isFetching = false
  /** No more batches will come. */
  isExhausted = false
  /** What ends the work once everything before it was delivered. */
  failure: { readonly error: unknown } | undefined
  readonly #tasks = new Fifo<Task>()
  readonly #slots = new Fifo<Slot<Result>>()

  constructor(source: Lane<Task>, index: number) {
    this.source = source
    this.index = index
  }

  /** Tasks that wait. */
  get waiting(): number {
    return this.#tasks.size
  }

  /** Results that are under way, or wait for earlier ones. */
  get held(): number {
    return this.#slots.size
  }

  get isFinished(): boolean {
    return this.isExhausted && !this.isFetching && this.waiting === 0 && this.held === 0 && !this.failure
  }

  add(batch: readonly Task[]): void {
    for (const task of batch) this.#tasks.push(task)
  }

  take(): Task {
    return this.#tasks.shift() as Task
  }

  dropTasks(): void {
    this.#tasks.clear()
  }

  openSlot(): Slot<Result> {
    const slot: Slot<Result> = { isDone: false, held: undefined }
    this.#slots.push(slot)
    return slot
  }

  /** Gives up a slot and all after it. */
  cutAt(slot: Slot<Result>): void {
    this.#slots.cutAt(slot)
  }

  /** Moves results to `ready` up to the first that is not there yet, or past all such gaps. */
  collect(ready: { push(held: Held<Result>): void }, overGaps: boolean): void {
    for (let slot = this.#slots.peek(); slot && (slot.isDone || overGaps); slot = this.#slots.peek()) {
      if (slot.held) ready.push(slot.held)
      this.#slots.shift()
    }
  }
}
