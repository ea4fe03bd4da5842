/** What a signature is made over: the parts of a request that tell agents apart. */
export interface SignedRequest {
  readonly method: string
  /** The URL as visitors know it: the public origin of the site and the target that was asked for. */
  readonly url: string
  /** A field by its lower-case name, repeated ones joined; null when absent. */
  readonly header: (name: string) => string | null
}

/** An agent that has proved what it is. */
export interface VerifiedAgent {
  /** Stable: its limits are its own. */
  readonly id: string
}

/** Tells which agent signed a request; null for none, and for a signature that does not hold. */
export type IdentifyAgent = (request: SignedRequest) => VerifiedAgent | null | Promise<VerifiedAgent | null>
