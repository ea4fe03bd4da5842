import type { PendingState } from '../client.js'
import { aboutSeconds } from './about-seconds.js'
import { plainLine } from './plain-text.js'
import type { Terminal } from './terminal.js'

const FRAMES = ['|', '/', '-', '\\'] as const

/** One moving line that shows what is waited for, on a terminal only. */
export class Spinner {
  readonly #terminal: Terminal
  readonly #timer: NodeJS.Timeout | undefined
  #text: string
  #readyAtMs: number | undefined
  #frame = 0

  constructor(terminal: Terminal, text: string) {
    this.#terminal = terminal
    this.#text = text
    if (!terminal.isErrTerminal) return
    this.#draw()
    this.#timer = setInterval(() => {
      this.#draw()
    }, 120)
  }

  show({ progress, etaSeconds }: PendingState): void {
    if (progress !== undefined) this.#text = plainLine(progress, 60)
    this.#readyAtMs = etaSeconds === undefined ? undefined : Date.now() + etaSeconds * 1_000
  }

  stop(): void {
    if (this.#timer === undefined) return
    clearInterval(this.#timer)
    this.#terminal.err('\r\x1b[K')
  }

  #draw(): void {
    const leftSeconds = Math.ceil(((this.#readyAtMs ?? 0) - Date.now()) / 1_000)
    const left = leftSeconds > 0 ? `, ${aboutSeconds(leftSeconds)} left` : ''
    this.#terminal.err(`\r\x1b[K${FRAMES[this.#frame++ % FRAMES.length] ?? ''} ${this.#text}${left}`)
  }
}
