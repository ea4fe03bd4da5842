/** One request of a run. */
export interface ProbeRequest {
  readonly url: string
  /** Default `GET`. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** `manual` gives a redirect back as it is. Default `follow`. */
  readonly redirect?: 'follow' | 'manual'
}

/** A response as checks see it. */
export interface ProbeResponse {
  /** The final URL. */
  readonly url: string
  readonly redirected: boolean
  readonly status: number
  /** Lower-case names, repeated fields joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** The decoded bytes. */
  readonly body: Uint8Array
  /** True when a content coding was undone, so that the bytes on the wire were others. */
  readonly isDecoded?: boolean
}

/**
 * The one way to the network. Resolves whatever the status is, rejects with an error that has a `code` when there is
 * no whole response, with a `budget_exceeded` error when the site gives no more, and with the signal's reason when it
 * is aborted.
 */
export type RequestPort = (
  request: ProbeRequest & { readonly signal: AbortSignal; readonly maxResponseBytes: number },
) => Promise<ProbeResponse>

/** A request with what became of it. A failure to respond is a result like any other. */
export type Exchange =
  | { readonly ok: true; readonly request: ProbeRequest; readonly response: ProbeResponse }
  | { readonly ok: false; readonly request: ProbeRequest; readonly failure: RequestFailure }

/** Why there is no response. */
export interface RequestFailure {
  /** The code of the transport's error, or `network_error`. */
  readonly code: string
  readonly message: string
}
