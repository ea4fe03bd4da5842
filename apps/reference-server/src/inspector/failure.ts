/** Why something could not be seen. */
export interface Failure {
  /** Of the error that said so. */
  readonly code: string
  readonly message: string
}
