import type { Finding } from '@doorplate/conformance-kit'

/**
 * The sides from which every document is looked at while it is at hand. Each is the business of one check, so that
 * nothing but findings has to be kept of a document.
 */
export type Aspect =
  | 'document'
  | 'encoding'
  | 'media_type'
  | 'validators'
  | 'cache_control'
  | 'protection'
  | 'redirect'
  | 'scheme'
  | 'times'
  | 'sync'

export type ExaminedKind = 'manifest' | 'sitemap-index' | 'sitemap' | 'entity'

/** What was found on one document. Sides without a finding are absent. */
export interface Examination {
  readonly kind: ExaminedKind
  readonly findings: Readonly<Partial<Record<Aspect, readonly Finding[]>>>
}

/** Keeps of the sides those that have findings. */
export function examination(
  kind: ExaminedKind,
  sides: Readonly<Partial<Record<Aspect, readonly Finding[]>>>,
): Examination {
  if (Object.values(sides).every((findings) => findings.length === 0)) return CLEAN[kind]
  return {
    kind,
    findings: Object.fromEntries(Object.entries(sides).filter(([, findings]) => findings.length > 0)),
  }
}

/** The findings of one side over many documents. */
export function findingsOf(examinations: readonly Examination[], aspect: Aspect): readonly Finding[] {
  return examinations.flatMap(({ findings }) => findings[aspect] ?? [])
}

/** Most documents have no findings, and a site may have many documents. */
const CLEAN: Readonly<Record<ExaminedKind, Examination>> = {
  manifest: { kind: 'manifest', findings: {} },
  'sitemap-index': { kind: 'sitemap-index', findings: {} },
  sitemap: { kind: 'sitemap', findings: {} },
  entity: { kind: 'entity', findings: {} },
}
