/** What the core reads of an HTTP request; every adapter gives this and nothing else. */
export interface CoreRequest {
  readonly method: string
  /** The request target: origin-form or absolute-form (RFC 9112 section 3.2). */
  readonly target: string
  /** A field by its lower-case name, repeated ones joined; null when absent. */
  header(name: string): string | null
  /** The whole body, or undefined when it has more bytes than that. Called once at most. Rejects where it cannot be read. */
  readBody(maxBytes: number): Promise<Uint8Array | undefined>
  /** The address of the peer of the connection; undefined where the runtime does not tell. */
  readonly remoteAddress: string | undefined
  /** Aborts when the visitor is gone. */
  readonly signal: AbortSignal
}

/** A response without the objects of a runtime. */
export interface CoreResponse {
  readonly status: number
  /** By lower-case name. `content-length` is for the adapter to add. */
  readonly headers: Readonly<Record<string, string>>
  /** Null for no body, as to HEAD; then `content-length` may be among the headers. */
  readonly body: string | null
}
