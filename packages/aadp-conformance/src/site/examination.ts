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

/** Findings by side. */
export type Sides = Readonly<Partial<Record<Aspect, readonly Finding[]>>>

export type ExaminedKind = 'manifest' | 'sitemap-index' | 'sitemap' | 'entity'

/** What was found on one document. Sides without a finding are absent. */
export interface Examination {
  readonly kind: ExaminedKind
  readonly findings: Sides
}

/** Keeps of the sides those that have findings; the same side is given once at most. */
export function examination(kind: ExaminedKind, ...given: readonly Sides[]): Examination {
  if (given.every((sides) => Object.values(sides).every(isEmpty))) return CLEAN[kind]
  const found = given.flatMap((sides) => Object.entries(sides).filter(([, findings]) => !isEmpty(findings)))
  return { kind, findings: Object.fromEntries(found) }
}

function isEmpty(findings: readonly Finding[]): boolean {
  return findings.length === 0
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
