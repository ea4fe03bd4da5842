/** A command that cannot be carried out, in one line for the person who typed it. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** 1: the command failed; 2: it was not understood. */
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
