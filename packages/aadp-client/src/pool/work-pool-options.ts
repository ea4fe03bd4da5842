import type { Lane } from './lane.js'
import type { LaneLimits } from './lanes.js'
import type { Ending } from './result-queue.js'

export interface WorkPoolOptions<Task, Response, Result, Summary> extends LaneLimits {
  /** Called once, at the first `next()`. */
  open(): Promise<readonly Lane<Task>[]>
  /** What a task waits for: takes one of the places that `concurrency` gives. May throw. */
  request(task: Task): Promise<Response>
  /** What is made of it, when the next requests are on their way; `undefined` delivers nothing. May throw. */
  read(task: Task, response: Response): Result | undefined
  /** Bytes of it, as a measure of what is made of it. */
  weigh(response: Response): number
  /** Told what a task threw: the task delivers nothing, unless this throws what ends the work. */
  leaveOut(task: Task, error: unknown): void
  /** Whether an error only forbids to begin more: what runs is then finished and delivered before it is thrown. */
  drains(error: unknown): boolean
  /** Stops what is in flight. */
  abort(): void
  /** Called once, when nothing runs any more: what the iteration returns, and what it throws before that, if anything. */
  finish(outcome: Outcome): Ending<Summary>
}

export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown }
