import { counted } from '../counted.js'
import type { Clock, Terminal } from './terminal.js'

export interface ProgressOptions {
  /** Name of the command, which begins every line. */
  readonly name: string
  /** Report even where that is no terminal. */
  readonly isForced: boolean
}

/** A run shorter than this says nothing about its progress. */
const QUIET_MS = 2_000
/** A wait shorter than this is not told. */
const SHORT_WAIT_MS = 1_500

/** Time between two looks, and between two lines on a terminal. */
const TICK_MS = 1_000

/** Time between two lines where lines stay, such as the log of a CI job. */
const LINE_MS = 10_000

const ERASE_LINE = '\r\u001b[2K'

/**
 * How far a run is, on stderr and by time, also while nothing happens: one line that is rewritten on a terminal, now and
 * then a plain one elsewhere.
 */
export class Progress {
  readonly #name: string
  readonly #stderr: Terminal['stderr']
  readonly #clock: Clock
  readonly #isLive: boolean
  readonly #startedMs: number
  readonly #stop: () => void
  #nextLineMs = QUIET_MS
  #isShown = false
  #requests = 0
  #checks = 0
  #waitedMs = 0
  #waitsUntilMs = 0

  constructor({ stderr, env, clock = SYSTEM_CLOCK }: Terminal, { name, isForced }: ProgressOptions) {
    this.#name = name
    this.#stderr = stderr
    this.#clock = clock
    this.#isLive = stderr.isTTY === true && env['TERM'] !== 'dumb'
    this.#startedMs = clock.now()
    this.#stop =
      stderr.isTTY === true || isForced
        ? clock.every(TICK_MS, () => {
            this.#tick()
          })
        : () => undefined
  }

  countRequest(): void {
    this.#requests++
  }

  countCheck(): void {
    this.#checks++
  }

  /** Time that the site had the run wait; waits at the same time count once. */
  get waitedMs(): number {
    return this.#waitedMs
  }

  /** Says why nothing happens, unless it is for a moment only or has been said. */
  tellWait(waitMs: number): void {
    const nowMs = this.#clock.now()
    const addedMs = nowMs + waitMs - Math.max(nowMs, this.#waitsUntilMs)
    if (addedMs <= 0) return
    const isTold = nowMs < this.#waitsUntilMs
    this.#waitedMs += addedMs
    this.#waitsUntilMs = nowMs + waitMs
    if (isTold || waitMs < SHORT_WAIT_MS) return
    this.clear()
    this.#stderr.write(
      `${this.#name}: waits ${Math.round(waitMs / 1_000)} s, as the limit of the site asks\n`,
    )
  }

  /** Makes room for what is printed next. */
  clear(): void {
    if (this.#isShown) this.#stderr.write(ERASE_LINE)
    this.#isShown = false
  }

  end(): void {
    this.#stop()
    this.clear()
  }

  #tick(): void {
    const elapsedMs = this.#clock.now() - this.#startedMs
    if (elapsedMs < this.#nextLineMs) return
    const seconds = Math.floor(elapsedMs / 1_000)
    const done = `${counted(this.#requests, 'request')}, ${counted(this.#checks, 'check')} done`
    const line = `${this.#name}: ${seconds} s, ${done}`
    this.#stderr.write(this.#isLive ? `${ERASE_LINE}${line}` : `${line}\n`)
    this.#isShown = this.#isLive
    if (!this.#isLive) this.#nextLineMs = elapsedMs + LINE_MS
  }
}

const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  every: (intervalMs, work) => {
    const timer = setInterval(work, intervalMs).unref()
    return () => {
      clearInterval(timer)
    }
  },
}
