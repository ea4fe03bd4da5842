import type { EntityV1 } from '@doorplate/aadp-schemas'
import type { Finding } from '@doorplate/conformance-kit'
import { examineChecksum, examineUse, type Standard } from './examine-document.js'
import { examineProtection, examineTime, examineTransport, examineValidators } from './examine-headers.js'
import { examination, type Examination } from './examination.js'
import type { DocumentReading } from './read-document.js'
import type { Chosen } from './sample.js'

/** Judges an entity by itself and against the sitemap item that led to it. */
export function examineEntity(reading: DocumentReading, chosen: Chosen, standard: Standard): Examination {
  const transport = examineTransport(reading, 'entity', standard)
  const unusable = examineUse(reading, 'entity', standard)
  if (unusable.length > 0) return examination('entity', transport, { document: unusable })
  const entity = reading.data as EntityV1
  const { url } = reading
  const { walk, item } = chosen
  const own = examineChecksum(url, entity.checksum, entity.data, standard.rule('ENT-010'))
  const hasMoved = own.length === 0 && isLater(entity.updated_at, item.updatedAt)
  return examination('entity', transport, {
    document: own.concat(examineIdentity(url, entity, chosen, hasMoved, standard)),
    validators: examineValidators(reading, { checksum: entity.checksum, time: entity.updated_at }, standard),
    times: examineTime(url, '/updated_at', entity.updated_at, standard),
    sync:
      hasMoved && entity.checksum !== item.checksum ? [] : examineSync(url, entity, item.updatedAt, standard),
    protection: walk.isProtected ? examineProtection(reading, walk.entry.type, standard) : [],
  })
}

/** An entity that changed after its sitemap page was read differs from its item, and that is nobody's fault. */
function examineIdentity(
  url: string,
  entity: EntityV1,
  { walk, item }: Chosen,
  hasMoved: boolean,
  { rule }: Standard,
): readonly Finding[] {
  const differs = (
    pointer: string,
    number: string,
    actual: string,
    expected: string,
    advisory = false,
  ): readonly Finding[] => {
    if (actual === expected) return []
    const message = `${pointer.slice(1)} is ${actual}; the sitemap at ${item.pageUrl} says ${expected}.`
    return [{ requirement: rule(number), url, pointer, message, advisory }]
  }
  return [
    ...differs('/id', 'ENT-011', entity.id, item.id),
    ...differs('/type', 'ENT-012', entity.type, walk.entry.type),
    ...differs('/checksum', 'MAP-018', entity.checksum, item.checksum, hasMoved),
  ]
}

function examineSync(url: string, entity: EntityV1, listed: string, { rule }: Standard): readonly Finding[] {
  if (entity.updated_at === listed || Date.parse(entity.updated_at) === Date.parse(listed)) return []
  const message = `updated_at is ${entity.updated_at}; its sitemap says ${listed}.`
  return [{ requirement: rule('MAP-020'), url, pointer: '/updated_at', message }]
}

/** Almost always the two texts are the same, and reading dates is slow. */
function isLater(time: string, than: string): boolean {
  return time !== than && Date.parse(time) > Date.parse(than)
}
