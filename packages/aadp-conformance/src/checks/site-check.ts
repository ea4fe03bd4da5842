import {
  counted,
  inconclusive,
  judged,
  type Check,
  type Finding,
  type Outcome,
} from '@doorplate/conformance-kit'
import { examineTransport } from '../site/examine-headers.js'
import {
  examination,
  findingsOf,
  type Aspect,
  type ExaminedKind,
  type Examination,
} from '../site/examination.js'
import type { Site } from '../site/site.js'

/** A check of a site, as data. */
export type SiteCheck = Check<Site>

/** Findings stand however little was seen; without any, only a look at everything is a pass. */
export function conclude(findings: readonly Finding[], cutShort: string | undefined, note?: string): Outcome {
  return cutShort === undefined ? judged(findings, note) : inconclusive(cutShort, findings)
}

/** Judges one side of all documents of some kinds. */
export async function judgeAspect(
  site: Site,
  aspect: Aspect,
  kinds: readonly ExaminedKind[],
): Promise<Outcome> {
  const { examinations, cutShort } = await examinedDocuments(site, kinds)
  return conclude(findingsOf(examinations, aspect), cutShort, counted(examinations.length, 'document'))
}

async function examinedDocuments(
  site: Site,
  kinds: readonly ExaminedKind[],
): Promise<{ examinations: readonly Examination[]; cutShort: string | undefined }> {
  const manifest = examination('manifest', examineTransport(await site.manifest(), 'manifest', site.standard))
  const index = await site.index()
  const sitemaps = await site.sitemaps()
  const entities = await site.entities()
  const all = [
    manifest,
    index.examination,
    ...sitemaps.walks.flatMap((walk) => walk.examinations),
    ...entities.examinations,
  ]
  const cutShort = sitemaps.cutShort ?? entities.cutShort
  return { examinations: all.filter(({ kind }) => kinds.includes(kind)), cutShort }
}
