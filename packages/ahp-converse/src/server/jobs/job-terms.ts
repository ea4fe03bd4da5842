/** How one capability is answered as a job. */
export interface JobTerms {
  /** How long the visitor is kept waiting for the answer before it gets `accepted`, milliseconds. */
  readonly acceptAfterMs: number
  /** How long the work takes, as far as the site knows. */
  readonly etaSeconds: number
  /** Undefined for the option of all jobs. */
  readonly expireAfterMs: number | undefined
  /** Whether work that was interrupted is begun again, with the same idempotency key. */
  readonly restartable: boolean
}
