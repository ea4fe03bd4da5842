import type { ContentSignals } from '@doorplate/ahp-manifest'
import { ConverseError } from '../converse-error.js'

/** What content can be used for; the names are those of the content signals. */
export type ContentUse = 'ai_train' | 'ai_input' | 'search'
export const CONTENT_USES: readonly ContentUse[] = ['ai_train', 'ai_input', 'search']

/** Signals as far as a site states them. */
export type StatedSignals = Readonly<Partial<ContentSignals>>

/** The signals of a site and of one response of it: what either forbids, or asks for, holds. */
export function combineSignals(site: StatedSignals, response: StatedSignals | undefined): StatedSignals {
  if (!response) return site
  const stated = { ...site, ...response }
  for (const use of CONTENT_USES) if (site[use] === false) stated[use] = false
  if (site.attribution_required === true) stated.attribution_required = true
  return stated
}

/** Throws `refused_by_signal` where a signal forbids one of the uses. What is not stated forbids nothing. */
export function requireAllowed(uses: readonly ContentUse[], signals: StatedSignals, url: string): void {
  const forbidden = uses.find((use) => signals[use] === false)
  if (forbidden === undefined) return
  throw new ConverseError('refused_by_signal', `The site says ${forbidden}: false of its content: ${url}`, {
    url,
  })
}
