import type { CoreRequest } from '../server/core-message.js'

/** What is to be known of a request to tell who makes it. */
export interface DeskRequest extends Pick<CoreRequest, 'method' | 'target' | 'remoteAddress' | 'signal'> {
  /** A field by its lower-case name; null when absent. */
  readonly header: (name: string) => string | null
}
