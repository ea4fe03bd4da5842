/** A source of tasks that arrive in batches; `undefined` ends it. `next` is never called again before it settled. */
export interface Lane<Task> {
  next(): Promise<readonly Task[] | undefined>
}

export interface WorkPoolOptions<Task, Result, Summary> {
  /** Batches and tasks in flight together. */
  readonly concurrency: number
  /** Results started or finished ahead of the consumer; an ordered pool may hold twice as many. */
  readonly readAhead: number
  /** Results in the order of lanes and their tasks, or as they come. */
  readonly ordered: boolean
  /** Called once, at the first `next()`. */
  open(): Promise<readonly Lane<Task>[]>
  /** Does one task; `undefined` delivers nothing. */
  perform(task: Task): Promise<Result | undefined>
  /** Whether an error only forbids to start more: what runs is then finished and delivered before it is thrown. */
  drains(error: unknown): boolean
  /** Stops what is in flight. */
  abort(reason: unknown): void
  /** Called once, when nothing runs any more: what the iteration returns, and what it throws before that, if anything. */
  finish(outcome: Outcome): Ending<Summary>
}

export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown }

export interface Ending<Summary> {
  readonly summary: Summary
  readonly failure?: { readonly error: unknown }
}

interface Slot<Result> {
  done: boolean
  value: Result | undefined
}

interface LaneState<Task, Result> {
  readonly lane: Lane<Task>
  readonly index: number
  tasks: Task[]
  nextTask: number
  fetching: boolean
  exhausted: boolean
  /** Ordered pools: results in task order; the first `delivered` of them are gone. */
  slots: Slot<Result>[]
  delivered: number
  /** Ordered pools: thrown once everything before it was delivered. */
  failure: { readonly error: unknown } | undefined
}

interface Waiter<Result, Summary> {
  resolve(result: IteratorResult<Result, Summary>): void
  reject(error: unknown): void
}

/**
 * Works through tasks of many lanes with one limit over everything, as an async iterator. Nothing starts before the first
 * `next()`, and no more than the read-ahead while the consumer is away. Lanes are preferred in their order.
 */
export class WorkPool<Task, Result, Summary> implements AsyncIterableIterator<Result, Summary, undefined> {
  readonly #options: WorkPoolOptions<Task, Result, Summary>
  #lanes: LaneState<Task, Result>[] = []
  /** The first lane that is not finished: the one that an ordered pool delivers from. */
  #head = 0
  #opened = false
  #open = false
  #running = 0
  #waiting = 0
  #held = 0
  #ready: Result[] = []
  #nextReady = 0
  readonly #waiters: Waiter<Result, Summary>[] = []
  #stopped = false
  #outcome: Outcome = { kind: 'done' }
  #summary: { readonly value: Summary } | undefined
  readonly #idle: (() => void)[] = []

  constructor(options: WorkPoolOptions<Task, Result, Summary>) {
    this.#options = options
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Result, Summary>> {
    if (!this.#opened) this.#start()
    if (this.#waiters.length === 0 && this.#nextReady < this.#ready.length) {
      const value = this.#take()
      this.#pump()
      return Promise.resolve({ done: false, value })
    }
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject })
      this.#pump()
    })
  }

  /** Results that are there already, up to a number; they will not come from `next`. */
  takeReady(limit: number): Result[] {
    const results: Result[] = []
    while (results.length < limit && this.#nextReady < this.#ready.length) results.push(this.#take())
    if (results.length > 0) this.#pump()
    return results
  }

  /** Stops at once; settles when nothing is in flight any more. */
  async return(): Promise<IteratorResult<Result, Summary>> {
    this.stop({ kind: 'stopped' })
    while (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
    return { done: true, value: this.#finish().value }
  }

  /** Drops what is not delivered and aborts what is in flight. */
  stop(outcome: Outcome): void {
    if (this.#summary) return
    this.#opened = true
    this.#ready = []
    this.#nextReady = 0
    this.#halt(outcome)
    this.#pump()
  }

  #start(): void {
    this.#opened = true
    this.#running++
    this.#options.open().then(
      (lanes) => {
        this.#lanes = lanes.map((lane, index) => laneState<Task, Result>(lane, index))
        this.#open = true
        this.#settle()
      },
      (error: unknown) => {
        this.#fail(error)
        this.#settle()
      },
    )
  }

  #pump(): void {
    this.#deliver()
    while (!this.#stopped && this.#open && this.#running < this.#options.concurrency) {
      const hungry = this.#laneToRefill()
      if (hungry) {
        this.#refill(hungry)
        continue
      }
      const lane = this.#laneToWork()
      if (!lane) break
      this.#work(lane)
    }
    if (this.#waiters.length > 0 && this.#isOver()) this.#end()
  }

  /** Batches are fetched ahead, so that tasks do not run dry between them. */
  #laneToRefill(): LaneState<Task, Result> | undefined {
    const enough = this.#waiting >= this.#options.concurrency || this.#held >= this.#options.readAhead
    for (let index = this.#head; index < this.#lanes.length; index++) {
      const lane = this.#lanes[index]
      if (enough && !(lane && this.#mustGoOn(lane))) return undefined
      if (lane && !lane.exhausted && !lane.fetching && waitingIn(lane) < this.#options.concurrency)
        return lane
    }
    return undefined
  }

  #laneToWork(): LaneState<Task, Result> | undefined {
    if (this.#waiting === 0) return undefined
    const full = this.#held >= this.#options.readAhead
    for (let index = this.#head; index < this.#lanes.length; index++) {
      const lane = this.#lanes[index]
      if (full && !(lane && this.#mustGoOn(lane))) return undefined
      if (lane && waitingIn(lane) > 0) return lane
    }
    return undefined
  }

  /** An ordered pool would wait for ever if the lane it delivers from had to wait for what later lanes hold. */
  #mustGoOn(lane: LaneState<Task, Result>): boolean {
    return (
      this.#options.ordered &&
      lane.index === this.#head &&
      this.#nextReady === this.#ready.length &&
      lane.slots.length - lane.delivered < this.#options.readAhead
    )
  }

  #refill(lane: LaneState<Task, Result>): void {
    lane.fetching = true
    this.#running++
    lane.lane.next().then(
      (batch) => {
        lane.fetching = false
        if (!batch) lane.exhausted = true
        else if (!lane.exhausted && !this.#stopped) {
          lane.tasks = [...lane.tasks.slice(lane.nextTask), ...batch]
          lane.nextTask = 0
          this.#waiting += batch.length
        }
        this.#settle()
      },
      (error: unknown) => {
        lane.fetching = false
        this.#fail(error, lane)
        this.#settle()
      },
    )
  }

  #work(lane: LaneState<Task, Result>): void {
    const task = lane.tasks[lane.nextTask++] as Task
    this.#waiting--
    this.#running++
    this.#held++
    const slot: Slot<Result> = { done: false, value: undefined }
    if (this.#options.ordered) lane.slots.push(slot)
    this.#options.perform(task).then(
      (value) => {
        this.#done(slot, value)
        this.#settle()
      },
      (error: unknown) => {
        this.#held--
        this.#fail(error, lane, slot)
        this.#settle()
      },
    )
  }

  #done(slot: Slot<Result>, value: Result | undefined): void {
    slot.done = true
    slot.value = value
    if (value === undefined) this.#held--
    else if (!this.#options.ordered) this.#ready.push(value)
  }

  #settle(): void {
    this.#running--
    this.#pump()
    if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  #fail(error: unknown, lane?: LaneState<Task, Result>, slot?: Slot<Result>): void {
    if (this.#options.drains(error)) {
      if (slot) slot.done = true
      if (!this.#stopped) this.#outcome = { kind: 'failed', error }
      this.#stopped = true
    } else if (this.#options.ordered && lane && !this.#stopped) {
      this.#cutAfter(lane, slot)
      lane.failure = { error }
    } else {
      this.#halt({ kind: 'failed', error })
    }
  }

  /** Ordered pools: what comes before a failure is still delivered, what comes after it is given up. */
  #cutAfter(lane: LaneState<Task, Result>, slot: Slot<Result> | undefined): void {
    lane.exhausted = true
    for (const later of this.#lanes.splice(lane.index + 1)) this.#dropTasks(later)
    if (!slot) return
    this.#dropTasks(lane)
    const position = lane.slots.indexOf(slot)
    if (position >= 0) lane.slots.length = position
  }

  #dropTasks(lane: LaneState<Task, Result>): void {
    this.#waiting -= waitingIn(lane)
    lane.tasks = []
    lane.nextTask = 0
  }

  #halt(outcome: Outcome): void {
    if (!this.#stopped) this.#outcome = outcome
    this.#stopped = true
    this.#lanes = []
    this.#options.abort(outcome.kind === 'failed' ? outcome.error : undefined)
  }

  #deliver(): void {
    if (this.#options.ordered) this.#collect()
    this.#skipFinished()
    while (this.#waiters.length > 0 && this.#nextReady < this.#ready.length) {
      this.#waiters.shift()?.resolve({ done: false, value: this.#take() })
    }
  }

  /** Ordered pools: moves results to `ready` as far as there is no gap; once only draining, gaps no longer matter. */
  #collect(): void {
    const draining = this.#stopped && this.#running === 0
    for (let index = this.#head; index < this.#lanes.length; index++) {
      const lane = this.#lanes[index]
      if (!lane) return
      while (lane.delivered < lane.slots.length) {
        const slot = lane.slots[lane.delivered]
        if (slot?.done === true) {
          if (slot.value !== undefined) this.#ready.push(slot.value)
        } else if (!draining) return
        lane.delivered++
      }
      lane.slots = []
      lane.delivered = 0
      if (lane.failure && waitingIn(lane) === 0) {
        this.#halt({ kind: 'failed', error: lane.failure.error })
        return
      }
      if (!draining && !(isDry(lane) && index === this.#head)) return
      if (!draining) this.#head++
    }
  }

  #skipFinished(): void {
    for (let lane = this.#lanes[this.#head]; lane && isDry(lane); lane = this.#lanes[this.#head]) this.#head++
  }

  #isOver(): boolean {
    return this.#running === 0 && (this.#stopped || (this.#open && this.#head >= this.#lanes.length))
  }

  #finish(): { readonly value: Summary; readonly failure?: { readonly error: unknown } } {
    if (this.#summary) return this.#summary
    const { summary, failure } = this.#options.finish(this.#outcome)
    this.#summary = { value: summary }
    return { value: summary, ...(failure && { failure }) }
  }

  #end(): void {
    for (const waiter of this.#waiters.splice(0)) {
      const { value, failure } = this.#finish()
      if (failure) waiter.reject(failure.error)
      else waiter.resolve({ done: true, value })
    }
  }

  #take(): Result {
    const value = this.#ready[this.#nextReady] as Result
    this.#held--
    this.#nextReady++
    if (this.#nextReady > 1_000 && this.#nextReady * 2 > this.#ready.length) {
      this.#ready = this.#ready.slice(this.#nextReady)
      this.#nextReady = 0
    }
    return value
  }
}

function laneState<Task, Result>(lane: Lane<Task>, index: number): LaneState<Task, Result> {
  return {
    lane,
    index,
    tasks: [],
    nextTask: 0,
    fetching: false,
    exhausted: false,
    slots: [],
    delivered: 0,
    failure: undefined,
  }
}

function waitingIn(lane: LaneState<unknown, unknown>): number {
  return lane.tasks.length - lane.nextTask
}

function isDry(lane: LaneState<unknown, unknown>): boolean {
  return (
    lane.exhausted &&
    !lane.fetching &&
    waitingIn(lane) === 0 &&
    lane.delivered === lane.slots.length &&
    !lane.failure
  )
}
