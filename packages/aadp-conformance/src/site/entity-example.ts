import type { EntityV1 } from '@doorplate/aadp-schemas'
import type { DocumentReading } from './read-document.js'
import type { Chosen } from './sample.js'

/** An entity that was found to be usable, whole, for further requests. */
export interface EntityExample {
  readonly chosen: Chosen
  readonly reading: DocumentReading
  readonly entity: EntityV1
}
