import type { Requirement } from '@doorplate/conformance-kit'

/**
 * What this report asks of a site. MUST: what is offered has to be what it says; a failure is *broken*. SHOULD and MAY: what
 * would help agents; a finding is *missing*. What does not concern a site is *not applicable* and is skipped.
 */
const REQUIREMENTS: readonly Requirement[] = [
  { id: 'READY-PAGE', level: 'MUST', text: 'The page can be fetched.' },
  {
    id: 'READY-HONEST',
    level: 'SHOULD',
    text: 'A path that does not exist is answered with 404 or 410, and not with a page.',
  },
  { id: 'READY-RESOLVES', level: 'MUST', text: 'What the site names exists and is what it is named.' },
  {
    id: 'READY-VALID',
    level: 'MUST',
    text: 'A document at a conventional path is what the path promises and holds what its kind requires.',
  },
  {
    id: 'READY-CURRENT',
    level: 'SHOULD',
    text: 'Documents have the current form, and lie at the current path.',
  },
  {
    id: 'READY-NAMED',
    level: 'SHOULD',
    text: 'What exists is named by a Link field, a link element, robots.txt or a catalogue.',
  },
  { id: 'READY-LLMS', level: 'SHOULD', text: 'A site with pages has an llms.txt.' },
  { id: 'READY-MARKDOWN', level: 'MAY', text: 'A page names its Markdown copy.' },
  { id: 'READY-API', level: 'SHOULD', text: 'An API has a machine-readable description that can be found.' },
  { id: 'READY-CATALOGUE', level: 'MAY', text: 'Agents and tools are listed in an ARD manifest.' },
  { id: 'READY-PREFERENCES', level: 'MAY', text: 'robots.txt states how content may be used by AI.' },
]

const BY_ID: ReadonlyMap<string, Requirement> = new Map(
  REQUIREMENTS.map((requirement) => [requirement.id, requirement]),
)

/** A requirement of the report, by its id. */
export function requirementOf(id: string): Requirement | undefined {
  return BY_ID.get(id)
}
