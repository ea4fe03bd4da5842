import { LaneState, type Lane, type Slot } from './lane.js'
import type { ReadAhead, ReadAheadLimits } from './read-ahead.js'
import type { ResultQueue } from './result-queue.js'

export interface LaneLimits extends ReadAheadLimits {
  /** Batches and tasks in flight together. */
  readonly concurrency: number
  /** Results in the order of lanes and their tasks, or as they come. */
  readonly ordered: boolean
}

/** The lanes of a pool: whose turn it is to be worked on, and how far results have come. Earlier lanes go first. */
export class Lanes<Task, Result> {
  readonly #limits: LaneLimits
  #lanes: LaneState<Task, Result>[] = []
  /** The first lane that is not finished: the one that an ordered pool delivers from. */
  #head = 0
  /** Tasks that wait in all lanes. */
  #waiting = 0

  constructor(limits: LaneLimits) {
    this.#limits = limits
  }

  open(lanes: readonly Lane<Task>[]): void {
    this.#lanes = lanes.map((lane, index) => new LaneState<Task, Result>(lane, index))
  }

  /** Gives up all that waits. */
  clear(): void {
    this.#lanes = []
    this.#waiting = 0
  }

  get areFinished(): boolean {
    return this.#head >= this.#lanes.length
  }

  /** Adds what the lane's source gave; `undefined` ends it. What comes after a lane was given up is dropped. */
  add(lane: LaneState<Task, Result>, batch: readonly Task[] | undefined): void {
    if (!batch) lane.isExhausted = true
    if (!batch || lane.isExhausted) return
    lane.add(batch)
    this.#waiting += batch.length
  }

  take(lane: LaneState<Task, Result>): Task {
    this.#waiting--
    return lane.take()
  }

  /** The lane whose source is to be asked: batches are fetched ahead, so that tasks do not run dry between them. */
  toRefill(ahead: ReadAhead, ready: number): LaneState<Task, Result> | undefined {
    const { concurrency } = this.#limits
    const isEnough = this.#waiting >= concurrency || ahead.isFull
    for (let index = this.#head; index < this.#lanes.length; index++) {
      const lane = this.#lanes[index]
      if (isEnough && !(lane && this.#mustGoOn(lane, ahead, ready))) return undefined
      if (lane && !lane.isExhausted && !lane.isFetching && lane.waiting < concurrency) return lane
    }
    return undefined
  }

  /** The lane whose next task is to be done. */
  toWork(ahead: ReadAhead, ready: number): LaneState<Task, Result> | undefined {
    if (this.#waiting === 0) return undefined
    const { isFull } = ahead
    for (let index = this.#head; index < this.#lanes.length; index++) {
      const lane = this.#lanes[index]
      if (isFull && !(lane && this.#mustGoOn(lane, ahead, ready))) return undefined
      if (lane && lane.waiting > 0) return lane
    }
    return undefined
  }

  /**
   * An ordered pool would wait for ever if the lane it delivers from had to wait for what later lanes hold. One result is enough
   * to go on with, so that heavy ones do not pile up.
   */
  #mustGoOn(lane: LaneState<Task, Result>, { isHeavy }: ReadAhead, ready: number): boolean {
    const { ordered, readAhead } = this.#limits
    return ordered && lane.index === this.#head && ready === 0 && lane.held < (isHeavy ? 1 : readAhead)
  }

  /** Ordered pools: what comes before a failure is still delivered, what comes after it is given up. */
  fail(lane: LaneState<Task, Result>, slot: Slot<Result> | undefined, error: unknown): void {
    for (const later of this.#lanes.splice(lane.index + 1)) this.#waiting -= later.waiting
    lane.isExhausted = true
    lane.failure = { error }
    if (!slot) return
    this.#waiting -= lane.waiting
    lane.dropTasks()
    lane.cutAt(slot)
  }

  /**
   * Passes by what is finished. Ordered pools move results to `ready` as far as there is no gap, or past all gaps; returns the
   * failure that is met on the way, if any.
   */
  advance(ready: ResultQueue<Result, unknown>, overGaps: boolean): { readonly error: unknown } | undefined {
    for (let lane = this.#lanes[this.#head]; lane; lane = this.#lanes[this.#head]) {
      if (this.#limits.ordered) lane.collect(ready, overGaps)
      if (lane.failure && lane.waiting === 0 && lane.held === 0 && !lane.isFetching) return lane.failure
      if (!overGaps && !lane.isFinished) return undefined
      this.#head++
    }
    return undefined
  }
}
