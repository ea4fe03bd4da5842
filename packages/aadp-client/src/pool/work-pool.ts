import { Arrivals } from './arrivals.js'
import type { LaneState, Slot } from './lane.js'
import { Lanes } from './lanes.js'
import { ReadAhead } from './read-ahead.js'
import { ResultQueue, type Ending } from './result-queue.js'
import type { Outcome, WorkPoolOptions } from './work-pool-options.js'

/** A task under way; only ordered pools keep a slot for its result. */
interface Job<Task, Result> {
  readonly task: Task
  readonly lane: LaneState<Task, Result>
  readonly slot: Slot<Result> | undefined
}

interface Arrival<Task, Response, Result> {
  readonly job: Job<Task, Result>
  readonly response: Response
  readonly bytes: number
}

/**
 * Works through the tasks of many lanes with one limit over everything, as an async iterator. Nothing begins before the first
 * `next()`, and no more than the read-ahead while the consumer is away.
 */
export class WorkPool<Task, Response, Result, Summary> implements AsyncIterableIterator<
  Result,
  Summary,
  undefined
> {
  readonly #options: WorkPoolOptions<Task, Response, Result, Summary>
  readonly #lanes: Lanes<Task, Result>
  readonly #ahead: ReadAhead
  readonly #results = new ResultQueue<Result, Summary>((held) => {
    this.#ahead.release(held)
  })
  readonly #arrivals = new Arrivals<Arrival<Task, Response, Result>>((arrivals) => {
    for (const { job, response, bytes } of arrivals)
      this.#settle(job, bytes, () => this.#readResponse(job.task, response))
    this.#afterSettling()
  })
  #state: 'new' | 'opening' | 'open' | 'stopped' = 'new'
  /** Batches and tasks that are not settled. */
  #running = 0
  /** Those of them that are in flight. */
  #placesTaken = 0
  /** What still comes is not wanted any more. */
  #isHalted = false
  #outcome: Outcome = { kind: 'done' }
  #summary: { readonly value: Summary } | undefined
  readonly #idle: (() => void)[] = []

  constructor(options: WorkPoolOptions<Task, Response, Result, Summary>) {
    this.#options = options
    this.#lanes = new Lanes(options)
    this.#ahead = new ReadAhead(options)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Result, Summary>> {
    if (this.#state === 'new') this.#open()
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

  /** Delivers what is there, begins what may begin, and ends when there is nothing left. */
  #pump(): void {
    this.#deliver()
    while (this.#state === 'open' && this.#placesTaken < this.#options.concurrency) {
      const ready = this.#results.size
      const hungry = this.#lanes.toRefill(this.#ahead, ready)
      const lane = hungry ?? this.#lanes.toWork(this.#ahead, ready)
      if (!lane) break
      if (hungry) this.#refill(lane)
      else this.#work(lane)
    }
    if (this.#results.isAwaited && this.#isOver()) this.#results.end(() => this.#finish())
  }

  /** Once nothing runs any more after a stop, gaps no longer matter. */
  #deliver(): void {
    const failure = this.#lanes.advance(this.#results, this.#state === 'stopped' && this.#running === 0)
    if (failure) this.#halt({ kind: 'failed', error: failure.error })
    this.#results.deliver()
  }

  #open(): void {
    this.#state = 'opening'
    this.#enter()
    this.#options.open().then(
      (lanes) => {
        if (this.#state === 'opening') {
          this.#lanes.open(lanes)
          this.#state = 'open'
        }
        this.#leave()
      },
      (error: unknown) => {
        this.#fail(error)
        this.#leave()
      },
    )
  }

  #refill(lane: LaneState<Task, Result>): void {
    lane.isFetching = true
    this.#enter()
    lane.source.next().then(
      (batch) => {
        lane.isFetching = false
        this.#lanes.add(lane, batch)
        this.#leave()
      },
      (error: unknown) => {
        lane.isFetching = false
        this.#fail(error, lane)
        this.#leave()
      },
    )
  }

  #work(lane: LaneState<Task, Result>): void {
    const job = {
      task: this.#lanes.take(lane),
      lane,
      slot: this.#options.ordered ? lane.openSlot() : undefined,
    }
    this.#enter()
    this.#ahead.begin()
    this.#request(job.task).then(
      (response) => {
        this.#placesTaken--
        const bytes = this.#options.weigh(response)
        this.#ahead.arrive(bytes)
        this.#pump()
        this.#arrivals.push({ job, response, bytes })
      },
      (error: unknown) => {
        this.#placesTaken--
        this.#settle(job, 0, () => {
          this.#options.leaveOut(job.task, error)
          return undefined
        })
        this.#afterSettling()
      },
    )
  }

  #request(task: Task): Promise<Response> {
    try {
      return this.#options.request(task)
    } catch (error) {
      return rejected(error as Error)
    }
  }

  #readResponse(task: Task, response: Response): Result | undefined {
    if (this.#isHalted) return undefined
    try {
      return this.#options.read(task, response)
    } catch (error) {
      this.#options.leaveOut(task, error)
      return undefined
    }
  }

  #settle(job: Job<Task, Result>, bytes: number, read: () => Result | undefined): void {
    const { slot } = job
    this.#running--
    try {
      const result = read()
      const held = result === undefined || this.#isHalted ? undefined : { result, bytes }
      if (!held) this.#ahead.release({ bytes })
      else if (!slot) this.#results.push(held)
      if (slot) {
        slot.isDone = true
        slot.held = held
      }
    } catch (error) {
      this.#ahead.release({ bytes })
      this.#fail(error, job.lane, job)
    }
  }

  #enter(): void {
    this.#running++
    this.#placesTaken++
  }

  #leave(): void {
    this.#running--
    this.#placesTaken--
    this.#afterSettling()
  }

  #afterSettling(): void {
    this.#pump()
    if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  /** What failed is a task, a batch of a lane, or the opening of all lanes. */
  #fail(error: unknown, lane?: LaneState<Task, Result>, job?: Job<Task, Result>): void {
    const outcome: Outcome = { kind: 'failed', error }
    if (this.#options.drains(error)) this.#drain(outcome, lane, job)
    else if (this.#options.ordered && lane && this.#state === 'open') this.#lanes.fail(lane, job?.slot, error)
    else this.#halt(outcome)
  }

  /** After a batch was refused, the tasks that are known may still be done; after a task was, no other may begin. */
  #drain(
    outcome: Outcome,
    lane: LaneState<Task, Result> | undefined,
    job: Job<Task, Result> | undefined,
  ): void {
    if (lane && !job) {
      lane.isExhausted = true
      if (this.#state !== 'stopped') this.#outcome = outcome
      return
    }
    if (job?.slot) job.slot.isDone = true
    this.#close(outcome)
  }

  /** Begins nothing more. */
  #close(outcome: Outcome): void {
    if (this.#state !== 'stopped') this.#outcome = outcome
    this.#state = 'stopped'
  }

  #halt(outcome: Outcome): void {
    this.#close(outcome)
    this.#isHalted = true
    this.#lanes.clear()
    this.#options.abort()
  }

  #isOver(): boolean {
    const isDone = this.#state === 'open' && this.#lanes.areFinished
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

function rejected(error: Error): Promise<never> {
  return Promise.reject(error)
}
