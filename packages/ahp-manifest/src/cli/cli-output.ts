/** Where a command writes. */
export interface CliOutput {
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
}
