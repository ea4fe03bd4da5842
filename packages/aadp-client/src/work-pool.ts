import { LaneState, type Lane, type Slot } from './lane.js'
import { ResultQueue, type Ending } from './result-queue.js'

export interface WorkPoolOptions<Task, Result, Summary> {
  /** Batches and tasks in flight together. */
  readonly concurrency: number
  /** Results begun or finished ahead of the consumer; an ordered pool may hold twice as many. */
  readonly readAhead: number
  /** Results in the order of lanes and their tasks, or as they come. */
  readonly ordered: boolean
  /** Called once, at the first `next()`. */
  open(): Promise<readonly Lane<Task>[]>
  /**
   * Does one task; `undefined` delivers nothing. `leave` gives its place to the next task early: what is left to do then does
   * not count towards the concurrency.
   */
  perform(task: Task, leave: () => void): Promise<Result | undefined>
  /** Whether an error only forbids to begin more: what runs is then finished and delivered before it is thrown. */
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

/**
 * Works through the tasks of many lanes with one limit over everything, as an async iterator. Nothing begins before the first
 * `next()`, and no more than the read-ahead while the consumer is away. Earlier lanes go first.
 */
export class WorkPool<Task, Result, Summary> implements AsyncIterableIterator<Result, Summary, undefined> {
  readonly #options: WorkPoolOptions<Task, Result, Summary>
  readonly #results = new ResultQueue<Result, Summary>(() => this.#held--)
  #state: 'new' | 'opening' | 'open' | 'stopped' = 'new'
  #lanes: LaneState<Task, Result>[] = []
  /** The first lane that is not finished: the one that an ordered pool delivers from. */
  #head = 0
  /** Batches and tasks that are not settled. */
  #running = 0
  /** Those of them that count towards the concurrency. */
  #placesTaken = 0
  /** Tasks that wait in all lanes. */
  #waiting = 0
  /** Results begun or finished, not delivered. */
  #held = 0
  /** What still comes is not wanted any more. */
  #isHalted = false
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
    if (this.#state === 'new') this.#start()
    const result = this.#results.next()
    this.#pump()
    return result
  }

  /** Results that are there already, up to a number; they will not come from `next`. */
  takeReady(limit: number): Result[] {
    const results = this.#results.takeReady(limit)
    if (results.length > 0) this.#pump()
    return results
  }

  /** Stops at once; settles when nothing is in flight any more. */
  async return(): Promise<IteratorResult<Result, Summary>> {
    this.stop({ kind: 'stopped' })
    while (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
    return { done: true, value: this.#finish().summary }
  }

  /** Drops what is not delivered and aborts what is in flight. */
  stop(outcome: Outcome): void {
    if (this.#summary) return
    this.#results.clear()
    this.#halt(outcome)
    this.#pump()
  }

  #start(): void {
    this.#state = 'opening'
    const leave = this.#enter()
    this.#options.open().then(
      (lanes) => {
        if (this.#state === 'opening') {
          this.#lanes = lanes.map((lane, index) => new LaneState<Task, Result>(lane, index))
          this.#state = 'open'
        }
        this.#settle(leave)
      },
      (error: unknown) => {
        this.#fail(error)
        this.#settle(leave)
      },
    )
  }

  /** Delivers what is there, begins what may begin, and ends when there is nothing left. */
  #pump(): void {
    this.#deliver()
    while (this.#state === 'open' && this.#placesTaken < this.#options.concurrency) {
      const hungry = this.#laneToRefill()
      const lane = hungry ?? this.#laneToWork()
      if (!lane) break
      if (hungry) this.#refill(lane)
      else this.#work(lane)
    }
    if (this.#results.isAwaited && this.#isOver()) this.#results.end(() => this.#finish())
  }

  /** Batches are fetched ahead, so that tasks do not run dry between them. */
  #laneToRefill(): LaneState<Task, Result> | undefined {
    const { concurrency, readAhead } = this.#options
    const isEnough = this.#waiting >= concurrency || this.#held >= readAhead
    for (let index = this.#head; index < this.#lanes.length; index++) {
      const lane = this.#lanes[index]
      if (isEnough && !(lane && this.#mustGoOn(lane))) return undefined
      if (lane && !lane.isExhausted && !lane.isFetching && lane.waiting < concurrency) return lane
    }
    return undefined
  }

  #laneToWork(): LaneState<Task, Result> | undefined {
    if (this.#waiting === 0) return undefined
    const isFull = this.#held >= this.#options.readAhead
    for (let index = this.#head; index < this.#lanes.length; index++) {
      const lane = this.#lanes[index]
      if (isFull && !(lane && this.#mustGoOn(lane))) return undefined
      if (lane && lane.waiting > 0) return lane
    }
    return undefined
  }

  /** An ordered pool would wait for ever if the lane it delivers from had to wait for what later lanes hold. */
  #mustGoOn(lane: LaneState<Task, Result>): boolean {
    const { ordered, readAhead } = this.#options
    return ordered && lane.index === this.#head && this.#results.size === 0 && lane.held < readAhead
  }

  #refill(lane: LaneState<Task, Result>): void {
    lane.isFetching = true
    const leave = this.#enter()
    lane.source.next().then(
      (batch) => {
        lane.isFetching = false
        if (!batch) lane.isExhausted = true
        else if (!lane.isExhausted) {
          lane.add(batch)
          this.#waiting += batch.length
        }
        this.#settle(leave)
      },
      (error: unknown) => {
        lane.isFetching = false
        this.#fail(error, lane)
        this.#settle(leave)
      },
    )
  }

  #work(lane: LaneState<Task, Result>): void {
    const task = lane.take()
    const slot = this.#options.ordered ? lane.openSlot() : undefined
    const leave = this.#enter()
    const leaveEarly = (): void => {
      leave()
      this.#pump()
    }
    this.#waiting--
    this.#held++
    this.#options.perform(task, leaveEarly).then(
      (result) => {
        if (result === undefined || this.#isHalted) this.#held--
        else if (!slot) this.#results.push(result)
        if (slot) {
          slot.isDone = true
          slot.result = result
        }
        this.#settle(leave)
      },
      (error: unknown) => {
        this.#held--
        this.#fail(error, lane, slot)
        this.#settle(leave)
      },
    )
  }

  /** Takes a place; what it returns gives it back, once. */
  #enter(): () => void {
    this.#running++
    this.#placesTaken++
    let isIn = true
    return () => {
      if (isIn) this.#placesTaken--
      isIn = false
    }
  }

  #settle(leave: () => void): void {
    leave()
    this.#running--
    this.#pump()
    if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  #fail(error: unknown, lane?: LaneState<Task, Result>, slot?: Slot<Result>): void {
    const outcome: Outcome = { kind: 'failed', error }
    if (this.#options.drains(error)) {
      if (slot) slot.isDone = true
      this.#close(outcome)
    } else if (this.#options.ordered && lane && this.#state === 'open') {
      this.#cutAfter(lane, slot)
      lane.failure = { error }
    } else {
      this.#halt(outcome)
    }
  }

  /** Ordered pools: what comes before a failure is still delivered, what comes after it is given up. */
  #cutAfter(lane: LaneState<Task, Result>, slot: Slot<Result> | undefined): void {
    for (const later of this.#lanes.splice(lane.index + 1)) this.#waiting -= later.waiting
    lane.isExhausted = true
    if (!slot) return
    this.#waiting -= lane.waiting
    lane.dropTasks()
    lane.cutAt(slot)
  }

  /** Begins nothing more. */
  #close(outcome: Outcome): void {
    if (this.#state !== 'stopped') this.#outcome = outcome
    this.#state = 'stopped'
  }

  #halt(outcome: Outcome): void {
    this.#close(outcome)
    this.#isHalted = true
    this.#lanes = []
    this.#options.abort(outcome.kind === 'failed' ? outcome.error : undefined)
  }

  #deliver(): void {
    if (this.#options.ordered) this.#collect()
    while (this.#lanes[this.#head]?.isFinished === true) this.#head++
    this.#results.deliver()
  }

  /** Moves results on as far as there is no gap; once nothing runs any more, gaps no longer matter. */
  #collect(): void {
    const overGaps = this.#state === 'stopped' && this.#running === 0
    for (let lane = this.#lanes[this.#head]; lane; lane = this.#lanes[this.#head]) {
      lane.collect(this.#results, overGaps)
      if (lane.failure && lane.waiting === 0 && lane.held === 0 && !lane.isFetching) {
        this.#halt({ kind: 'failed', error: lane.failure.error })
        return
      }
      if (!overGaps && !lane.isFinished) return
      this.#head++
    }
  }

  #isOver(): boolean {
    const isDone = this.#state === 'open' && this.#head >= this.#lanes.length
    return this.#running === 0 && (isDone || this.#state === 'stopped')
  }

  /** The failure only the first time. */
  #finish(): Ending<Summary> {
    if (this.#summary) return { summary: this.#summary.value }
    const ending = this.#options.finish(this.#outcome)
    this.#summary = { value: ending.summary }
    return ending
  }
}
