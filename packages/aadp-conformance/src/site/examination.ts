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
  const found = Object.entries(sides).filter(([, findings]) => findings.length > 0)
  return { kind, findings: found.length === 0 ? NOTHING : Object.fromEntries(found) }
}

/** The findings of one side over many documents. */
export function findingsOf(examinations: readonly Examination[], aspect: Aspect): readonly Finding[] {
  return examinations.flatMap(({ findings }) => findings[aspect] ?? [])
}

const NOTHING: Examination['findings'] = Object.freeze({})
