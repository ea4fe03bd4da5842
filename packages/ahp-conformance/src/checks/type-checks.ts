import type { Capability } from '@doorplate/ahp-manifest'
import { judged, skipped, type Finding, type Outcome } from '@doorplate/conformance-kit'
import { ownList, ownText } from '../own-member.js'
import { rule } from '../requirements.js'
import { needsCredential } from '../site/declared.js'
import type { Reading } from '../site/reading.js'
import type { Site } from '../site/site.js'
import { about, refusalFindings, successFindings, type SiteCheck } from './site-check.js'

/** Which kind of answer is served. */
export const typeChecks: readonly SiteCheck[] = [
  {
    id: 'types.declared',
    title: 'Every declared type is served to whom accepts it',
    requirements: ['R-021', 'R-060', 'R-061'].map(rule),
    needs: ['converse.declared'],
    hint: 'Answer with the declared type that the agent prefers, and with its payload.',
    run: judgeDeclared,
  },
  {
    id: 'types.preferred',
    title: 'Of several accepted types the preferred one is served',
    requirements: [rule('R-061')],
    needs: ['types.declared'],
    hint: 'Go through accept_types in their order, not through your own list.',
    run: judgePreferred,
  },
  {
    id: 'types.default',
    title: 'Without accepted types the answer is text/answer',
    requirements: ['R-049', 'TYPE-002'].map(rule),
    needs: ['converse.declared'],
    hint: 'Answer text/answer to agents that name no types, where you have it.',
    run: (site) =>
      judgeEach(
        site,
        'No open capability has text/answer beside other types.',
        hasTextAndOthers,
        async ({ name }) => {
          const reading = await site.ask({ capability: name })
          const type = servedType(reading)
          if (isRefusedOrAsks(reading) || type === 'text/answer') return []
          return [about(reading, 'TYPE-002', `${name} answers ${type} to a question that names no types.`)]
        },
      ),
  },
  {
    id: 'types.fallback',
    title: 'A fallback is text/answer, and says what it stands for',
    requirements: ['R-062', 'R-067'].map(rule),
    needs: ['converse.declared'],
    hint: 'Where accept_fallback is true, answer agents that take none of your types with text/answer and meta.fallback_from.',
    run: (site) =>
      judgeEach(site, 'No open capability falls back.', fallsBack, (own) => fallbackFindings(site, own)),
  },
  {
    id: 'types.unsupported',
    title: 'No common type is refused with unsupported_type and the types there are',
    requirements: [rule('R-063')],
    needs: ['converse.declared'],
    hint: 'Where there is no fallback, answer 400 unsupported_type with available_types.',
    run: (site) =>
      judgeEach(
        site,
        'Every open capability falls back.',
        ({ accept_fallback: falls }) => falls !== true,
        (own) => unsupportedFindings(site, own),
      ),
  },
]

/** No site serves it. */
const UNKNOWN_TYPE = 'x-doorplate-conformance/nothing'
const MAX_TYPES = 12
const MAX_CAPABILITIES = 4

const typesOf = ({ response_types: types = ['text/answer'] }: Capability): readonly string[] => types
const hasTextAndOthers = (own: Capability): boolean =>
  typesOf(own).length > 1 && typesOf(own).includes('text/answer')
const fallsBack = (own: Capability): boolean =>
  own.accept_fallback === true && !typesOf(own).includes('text/answer')

async function openCapabilities(site: Site): Promise<readonly Capability[]> {
  const { capabilities } = await site.declared()
  return capabilities.filter((own) => own.mode !== 'MODE3' && !needsCredential(own))
}

async function judgeEach(
  site: Site,
  otherwise: string,
  applies: (own: Capability) => boolean,
  judge: (own: Capability) => Promise<readonly Finding[]>,
): Promise<Outcome> {
  const chosen = (await openCapabilities(site)).filter(applies).slice(0, MAX_CAPABILITIES)
  if (chosen.length === 0) return skipped(otherwise)
  const findings: Finding[] = []
  for (const own of chosen) findings.push(...(await judge(own)))
  return judged(findings)
}

async function judgeDeclared(site: Site): Promise<Outcome> {
  const open = await openCapabilities(site)
  const seen = new Map<string, string>()
  for (const own of open) for (const type of typesOf(own)) if (!seen.has(type)) seen.set(type, own.name)
  if (seen.size === 0) return skipped('No capability is open.')
  const findings: Finding[] = []
  for (const [type, capability] of [...seen].slice(0, MAX_TYPES)) {
    const reading = await site.ask({ capability }, { body: { context: { accept_types: [type] } } })
    if (isRefusedOrAsks(reading)) continue
    const wrong = successFindings(reading, 'R-061', `${capability} as ${type}`)
    const served = servedType(reading)
    findings.push(...wrong)
    if (wrong.length === 0 && served !== type.toLowerCase())
      findings.push(
        about(reading, 'R-061', `${capability} declares ${type}, and answers ${served} to whom accepts it.`),
      )
  }
  return judged(findings)
}

async function judgePreferred(site: Site): Promise<Outcome> {
  const several = (own: Capability): boolean => typesOf(own).length > 1
  return judgeEach(site, 'No open capability has several types.', several, async (own) => {
    const [first = '', second = ''] = typesOf(own)
    const body = { context: { accept_types: [UNKNOWN_TYPE, second, first] } }
    const reading = await site.ask({ capability: own.name }, { body })
    const served = servedType(reading)
    if (isRefusedOrAsks(reading) || served === second.toLowerCase()) return []
    return [about(reading, 'R-061', `${own.name} answers ${served}, and ${second} is preferred to ${first}.`)]
  })
}

async function fallbackFindings(site: Site, own: Capability): Promise<readonly Finding[]> {
  const body = { context: { accept_types: [UNKNOWN_TYPE] } }
  const reading = await site.ask({ capability: own.name }, { body })
  if (reading.status === 401) return []
  const wrong = successFindings(reading, 'R-062', `${own.name} declares a fallback`)
  if (wrong.length > 0) return wrong
  const served = servedType(reading)
  if (served !== 'text/answer')
    return [about(reading, 'R-062', `${own.name} falls back to ${served}, expected text/answer.`)]
  const from = ownText(reading.json, 'meta', 'fallback_from')
  if (from !== undefined && typesOf(own).includes(from)) return []
  const message = `meta.fallback_from is ${from ?? 'absent'}, expected a declared type.`
  return [about(reading, 'R-067', message, { pointer: '/meta/fallback_from' })]
}

async function unsupportedFindings(site: Site, own: Capability): Promise<readonly Finding[]> {
  const body = { context: { accept_types: [UNKNOWN_TYPE] } }
  const reading = await site.ask({ capability: own.name }, { body })
  if (reading.status === 401) return []
  const expected = { status: 400, code: 'unsupported_type', what: `${own.name} without a common type` }
  const wrong = refusalFindings(reading, 'R-063', expected)
  if (wrong.length > 0) return wrong
  const listed = ownList(reading.json, 'available_types')
  const types = typesOf(own)
  const missing = types.filter((type) => !listed.includes(type))
  const strange = listed.filter((type) => !types.some((known) => known === type)).map(String)
  const finding = (what: string, advisory: boolean): Finding =>
    about(reading, 'R-063', `available_types ${what}.`, { pointer: '/available_types', advisory })
  return [
    ...(missing.length > 0 ? [finding(`lacks ${missing.join(', ')}`, false)] : []),
    ...(strange.length > 0 ? [finding(`names what is not declared: ${strange.join(', ')}`, true)] : []),
  ]
}

function servedType({ json }: Reading): string {
  return (ownText(json, 'response', 'content_type') ?? 'text/answer').toLowerCase()
}

/** Whoever needs a credential, or asks back, tells nothing about types. */
function isRefusedOrAsks({ status, json }: Reading): boolean {
  return status === 401 || ownText(json, 'status') === 'clarification_needed'
}
