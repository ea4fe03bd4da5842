/** Where a command writes, and whom it can ask. */
export interface Terminal {
  /** Resolves when more may be written. */
  out(text: string): Promise<void>
  err(text: string): void
  /** Whether `err` is a terminal, on which a line can be drawn again. */
  readonly isErrTerminal: boolean
  /** Whether somebody sits there who can be asked. */
  readonly isInteractive: boolean
  /** What is typed in answer; undefined at the end of the input. */
  prompt(question: string): Promise<string | undefined>
}
