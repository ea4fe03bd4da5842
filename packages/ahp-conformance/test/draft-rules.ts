import { readFileSync } from 'node:fs'
import type { Requirement } from '@doorplate/conformance-kit'

export interface DraftRule extends Requirement {
  /** Whom or what it binds: `server`, `client`, or a kind of document. */
  readonly subject: string
}

/** The rules that the draft itself has, which are numbered from R-001 on. */
export function draftRules(): readonly DraftRule[] {
  const path = new URL('../../../spec/ahp/v0.1.requirements.json', import.meta.url)
  const rules = JSON.parse(readFileSync(path, 'utf8')) as readonly DraftRule[]
  return rules.filter(({ id }) => /-R-\d{3}$/.test(id))
}

/** Those that bind a site. */
export function rulesOfSites(): readonly DraftRule[] {
  return draftRules().filter(({ subject }) => subject !== 'client')
}

/** What cannot be seen from outside, or allows either way. */
export const UNSEEN: Readonly<Record<string, string>> = {
  'R-016': 'an agent may do either',
  'R-056': 'a site may do either',
  'R-059': 'what a site can bear is its own knowledge',
  'R-068': 'an agent may do either',
  'R-071': 'what an agent does with content is not seen',
  'R-073': 'a site may do either',
  'R-097': 'a site may do either',
  'R-098': 'what is low is for the site to say',
  'R-113': 'it binds later versions',
  'R-124': 'it is a matter of documentation',
  'R-125': 'it binds the protocol',
}

export function isSeen(id: string): boolean {
  return !Object.hasOwn(UNSEEN, id.replace('AHP01-', ''))
}
