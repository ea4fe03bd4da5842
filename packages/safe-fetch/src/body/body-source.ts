/** Takes a body. Exactly one of `onEnd` and `onError` comes last, unless the body is cancelled. */
export interface BodySink {
  onData(chunk: Uint8Array): void
  onEnd(): void
  onError(reason: unknown): void
}

/** A body that is read once, at the pace of its reader. */
export interface BodySource {
  read(sink: BodySink): void
  pause(): void
  resume(): void
  /** Ends the body and the connection behind it. */
  readonly cancel: (reason: unknown) => void
}
