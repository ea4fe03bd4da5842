import type { EntityV1 } from '@doorplate/aadp-schemas'
import { counted, type RequestLog } from '@doorplate/conformance-kit'
import pMap from 'p-map'
import type { RunSettings } from '../options.js'
import type { EntityExample } from './entity-example.js'
import type { Standard } from './examine-document.js'
import { examineEntity } from './examine-entity.js'
import { withheld } from './examine-headers.js'
import type { Examination } from './examination.js'
import { readWithinBudget } from './read-document.js'
import { chooseEntities } from './sample.js'
import type { SitemapWalk } from './walk-sitemap.js'

export interface EntityReadings {
  /** How many are listed. */
  readonly listed: number
  /** How many were read. */
  readonly read: number
  readonly examinations: readonly Examination[]
  /** One of each type, whole, for further requests. */
  readonly examples: readonly EntityExample[]
  /** Why fewer were read than were asked for. */
  readonly cutShort?: string
}

/** Examples kept of entities: enough for every type of an ordinary site, not a burden for a large one. */
const MAX_EXAMPLES = 8

/** Reads a sample of the entities that the sitemaps list, or all of them. */
export async function readEntities(
  walks: readonly SitemapWalk[],
  settings: RunSettings,
  log: RequestLog,
  standard: Standard,
): Promise<EntityReadings> {
  const wanted = chooseEntities(walks, settings.entities, settings.seed)
  const chosen = wanted.slice(0, settings.maxEntities)
  const examples = new Map<string, EntityExample>()
  const examinations: Examination[] = []
  let cutShort =
    chosen.length < wanted.length
      ? `The run has used up its ${counted(settings.maxEntities, 'entity', 'entities')}.`
      : undefined
  await pMap(
    chosen,
    async (one) => {
      const reading = await readWithinBudget(log, { url: one.item.url })
      if ('cutShort' in reading) {
        cutShort = reading.cutShort
        return
      }
      const reason = withheld(reading, one.walk.entry.type, one.walk.isProtected)
      if (reason !== undefined) {
        cutShort = reason
        return
      }
      const examined = examineEntity(reading, one, standard)
      examinations.push(examined)
      const { type } = one.walk.entry
      const isExample =
        examples.size < MAX_EXAMPLES && !examples.has(type) && examined.findings.document === undefined
      if (isExample) examples.set(type, { chosen: one, reading, entity: reading.data as EntityV1 })
    },
    { concurrency: settings.concurrency },
  )
  return {
    listed: walks.reduce((sum, walk) => sum + walk.items.length, 0),
    read: examinations.length,
    examinations,
    examples: [...examples.values()],
    ...(cutShort !== undefined && { cutShort }),
  }
}
