/** One GET, redirects followed. */
export interface TransportRequest {
  /** Reach every origin. */
  readonly publicHeaders: Readonly<Record<string, string>>
  /** Reach the origin of the URL only. */
  readonly scopedHeaders: Readonly<Record<string, string>> | undefined
  readonly timeoutMs: number
  readonly maxResponseBytes: number
  readonly maxRedirects: number
  readonly signal: AbortSignal | undefined
  /** Told of the decoded bytes of each piece of a body; what it throws ends the request. */
  readonly onBytes: (count: number) => void
}

export interface TransportResponse {
  /** The final URL. */
  readonly url: string
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export type Transport = (url: string, request: TransportRequest) => Promise<TransportResponse>

/** A `fetch`. One made by `@doorplate/safe-fetch` is used through its lean `request`. */
export type FetchLike = (input: string, init: RequestInit) => Promise<Response>
