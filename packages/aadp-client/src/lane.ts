/** A source of tasks that arrive in batches; `undefined` ends it. `next` is not called again before it settled. */
export interface Lane<Task> {
  next(): Promise<readonly Task[] | undefined>
}

/** The place of a result in the order of its lane. */
export interface Slot<Result> {
  isDone: boolean
  result: Result | undefined
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
  #tasks: readonly Task[] = []
  #nextTask = 0
  #slots: Slot<Result>[] = []
  #collected = 0

  constructor(source: Lane<Task>, index: number) {
    this.source = source
    this.index = index
  }

  /** Tasks that wait. */
  get waiting(): number {
    return this.#tasks.length - this.#nextTask
  }

  /** Results that are under way, or wait for earlier ones. */
  get held(): number {
    return this.#slots.length - this.#collected
  }

  get isFinished(): boolean {
    return this.isExhausted && !this.isFetching && this.waiting === 0 && this.held === 0 && !this.failure
  }

  add(batch: readonly Task[]): void {
    this.#tasks = this.waiting === 0 ? batch : [...this.#tasks.slice(this.#nextTask), ...batch]
    this.#nextTask = 0
  }

  take(): Task {
    return this.#tasks[this.#nextTask++] as Task
  }

  dropTasks(): void {
    this.#tasks = []
    this.#nextTask = 0
  }

  openSlot(): Slot<Result> {
    const slot: Slot<Result> = { isDone: false, result: undefined }
    this.#slots.push(slot)
    return slot
  }

  /** Gives up a slot and all after it. */
  cutAt(slot: Slot<Result>): void {
    const position = this.#slots.indexOf(slot)
    if (position >= 0) this.#slots.length = position
  }

  /** Moves results to `ready` up to the first that is not there yet, or past all such gaps. */
  collect(ready: Result[], overGaps: boolean): void {
    for (; this.#collected < this.#slots.length; this.#collected++) {
      const slot = this.#slots[this.#collected]
      if (slot?.isDone !== true && !overGaps) return
      if (slot?.result !== undefined) ready.push(slot.result)
    }
    this.#slots = []
    this.#collected = 0
  }
}
