/** A reason not to start that a person can act on: its message is one line, shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
  /** What the program ends with. */
  readonly exitCode: number = 1
}
