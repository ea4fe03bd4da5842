import { ownList, ownMember } from '../own-member.js'
import { judged, skipped, type Finding, type Outcome } from '@doorplate/conformance-kit'
import { rule } from '../requirements.js'
import { described, type Reading } from '../site/reading.js'
import type { Probe } from '../probes.js'
import { HARMLESS_QUERY, type Site } from '../site/site.js'
import { about, refusalFindings, skippedWithoutCredential, type SiteCheck } from './site-check.js'

/** How the concierge says no. */
export const errorChecks: readonly SiteCheck[] = [
  {
    id: 'errors.malformed',
    title: 'A malformed request is refused with invalid_request',
    requirements: ['R-084', 'R-119', 'READ-010'].map(rule),
    needs: ['converse.declared'],
    hint: 'Check the whole request against its schema before anything else sees it.',
    run: async (site) => {
      const capability = await anyCapability(site)
      const findings: Finding[] = []
      for (const [what, body] of malformedBodies(capability)) {
        const expected = { status: 400, code: 'invalid_request', what }
        findings.push(...refusalFindings(await site.post(body), 'R-084', expected))
      }
      return judged(findings)
    },
  },
  {
    id: 'errors.missing_field',
    title: 'A missing field is refused with missing_field',
    requirements: ['R-086', 'R-045', 'R-046', 'READ-010'].map(rule),
    needs: ['converse.declared'],
    hint: 'Answer an absent, null or empty capability or query with 400 and missing_field.',
    run: async (site) => {
      const capability = await anyCapability(site)
      const findings: Finding[] = []
      for (const [what, body] of Object.entries(incomplete(capability))) {
        const expected = { status: 400, code: 'missing_field', what }
        findings.push(...refusalFindings(await site.post(JSON.stringify(body)), 'R-086', expected))
      }
      return judged(findings)
    },
  },
  {
    id: 'errors.unknown_capability',
    title: 'A capability that is not in the manifest is refused with the list of those that are',
    requirements: ['R-085', 'READ-012'].map(rule),
    needs: ['converse.declared'],
    hint: 'Look names up among own members, and answer 400 unknown_capability with available_capabilities.',
    run: judgeUnknownCapability,
  },
  {
    id: 'errors.too_large',
    title: 'A body of more than 8 KB is refused with 413',
    requirements: ['R-057', 'R-089'].map(rule),
    needs: ['converse.declared'],
    hint: 'Stop reading at 8 KB and answer 413 request_too_large.',
    run: async (site) => {
      const capability = await anyCapability(site)
      const body = JSON.stringify({ capability, query: 'x', padding: 'x'.repeat(9_000) })
      const reading = await site.post(body)
      if (reading.status === 200)
        return judged([about(reading, 'R-057', `A body of ${body.length} bytes is accepted.`)])
      const expected = { status: 413, code: 'request_too_large', what: `A body of ${body.length} bytes` }
      return judged(refusalFindings(reading, 'R-089', expected))
    },
  },
  {
    id: 'errors.method',
    title: 'Other methods and types are refused with 405 and 415',
    requirements: [rule('ERR-001')],
    needs: ['converse.declared'],
    hint: 'Answer GET to the converse endpoint with 405 and Allow, and a body that is not JSON by its type with 415.',
    run: judgeMethodAndType,
  },
  roleCheck({
    id: 'errors.fault',
    role: 'failing',
    title: 'A fault of the concierge is told as concierge_error',
    number: 'R-091',
    expected: { status: 500, code: 'concierge_error' },
    hint: 'Catch what goes wrong and answer 500 concierge_error, without details.',
  }),
  roleCheck({
    id: 'errors.unavailable',
    role: 'unavailable',
    title: 'A concierge that cannot answer now says unavailable',
    number: 'R-092',
    expected: { status: 503, code: 'unavailable' },
    hint: 'Answer 503 unavailable where a dependency is down or too much is asked at once.',
  }),
]

/** Judges the refusal of a question that only somebody who knows the site can name. */
export function roleCheck(check: {
  readonly id: string
  readonly role: 'failing' | 'unavailable' | 'forbidden'
  readonly title: string
  readonly number: string
  readonly expected: { readonly status: number; readonly code: string }
  readonly hint: string
}): SiteCheck {
  const { id, role, title, number, expected, hint } = check
  return {
    id,
    title,
    requirements: [rule(number)],
    needs: ['converse.declared'],
    hint,
    run: async (site) => {
      const probe: Probe | undefined = site.settings.probes[role]
      if (probe === undefined)
        return skipped(`Nobody can tell how from outside. Name a question with --${role}.`)
      const reading = await site.ask(probe, { withCredential: true })
      if (reading.status === 401 && (await site.credential()) === undefined)
        return skippedWithoutCredential(site, `${probe.capability} needs a credential.`)
      return judged(
        refusalFindings(reading, number, { ...expected, what: `The question to ${probe.capability}` }),
      )
    },
  }
}

async function anyCapability(site: Site): Promise<string> {
  const answered = await site.answer()
  return answered?.probe.capability ?? (await site.declared()).capabilities[0]?.name ?? 'unknown'
}

function malformedBodies(capability: string): readonly (readonly [string, string])[] {
  const bad: Readonly<Record<string, unknown>> = {
    'A list': [],
    'A text': 'hello',
    'A query that is a list': { capability, query: [{ type: 'text', text: 'hello' }] },
    'A query that is a number': { capability, query: 5 },
    'A query of 4,097 characters': { capability, query: 'x'.repeat(4_097) },
    'A capability that is a list': { capability: [capability], query: 'hello' },
    'A session that is a number': { capability, query: 'hello', session_id: 5 },
    'A context that is a text': { capability, query: 'hello', context: 'hello' },
    'max_tokens -1': { capability, query: 'hello', context: { max_tokens: -1 } },
    'accept_types that is a text': { capability, query: 'hello', context: { accept_types: 'text/answer' } },
  }
  const texts = Object.entries(bad).map(([what, body]) => [what, JSON.stringify(body)] as const)
  return [['What is not JSON', '{"capability":'], ...texts]
}

function incomplete(capability: string): Readonly<Record<string, unknown>> {
  return {
    'No capability': { query: 'hello' },
    'An empty capability': { capability: '', query: 'hello' },
    'No query': { capability },
    'An empty query': { capability, query: '' },
    'A query that is null': { capability, query: null },
  }
}

const UNKNOWN_NAMES = ['doorplate_conformance_absent', 'constructor', '__proto__']

async function judgeUnknownCapability(site: Site): Promise<Outcome> {
  const declared = (await site.declared()).capabilities.map(({ name }) => name)
  const findings: Finding[] = []
  const strange = new Set<string>()
  for (const name of UNKNOWN_NAMES.filter((unknown) => !declared.includes(unknown))) {
    const reading = await site.post(JSON.stringify({ capability: name, query: 'hello' }))
    const refusal = { status: 400, code: 'unknown_capability', what: `The capability ${name}` }
    const wrong = refusalFindings(reading, 'R-085', refusal)
    const listed = ownList(reading.json, 'available_capabilities').filter(
      (other) => typeof other === 'string',
    )
    findings.push(...(wrong.length > 0 ? wrong : listFindings(reading, declared, listed)))
    for (const other of listed) if (!declared.includes(other)) strange.add(other)
  }
  // Who reads names generously has a capability by a name that the manifest does not give it.
  for (const name of declared.slice(0, 1))
    findings.push(...(await undeclaredFindings(site, 'READ-012', name.toUpperCase())))
  for (const name of [...strange].slice(0, MAX_STRANGE))
    findings.push(...(await undeclaredFindings(site, 'R-085', name)))
  return judged(findings)
}

function listFindings(
  reading: Reading,
  declared: readonly string[],
  listed: readonly string[],
): readonly Finding[] {
  const missing = declared.filter((name) => !listed.includes(name))
  const strange = listed.filter((name) => !declared.includes(name))
  const finding = (what: string, advisory: boolean): Finding =>
    about(reading, 'R-085', `available_capabilities ${what}.`, {
      pointer: '/available_capabilities',
      advisory,
    })
  return [
    ...(missing.length > 0 ? [finding(`lacks ${missing.join(', ')}`, false)] : []),
    ...(strange.length > 0 ? [finding(`names what is not declared: ${strange.join(', ')}`, true)] : []),
  ]
}

const MAX_STRANGE = 5

/** Any refusal will do, and nothing may be done. */
async function undeclaredFindings(site: Site, number: string, name: string): Promise<readonly Finding[]> {
  const reading = await site.post(JSON.stringify({ capability: name, query: HARMLESS_QUERY }))
  if (reading.status === undefined || reading.status >= 300) return []
  return [about(reading, number, `The capability ${name} is answered, which the manifest does not have.`)]
}

async function judgeMethodAndType(site: Site): Promise<Outcome> {
  const { converseUrl } = await site.declared()
  const got = await site.send('converse', { url: converseUrl, headers: { accept: 'application/json' } })
  const body = JSON.stringify({ capability: await anyCapability(site), query: 'hello' })
  const posted = await site.post(body, { headers: { 'content-type': 'text/plain' } })
  const allow = got.headers['allow']
  return judged([
    ...(got.status === 405 ? [] : [about(got, 'ERR-001', `GET: ${described(got)} Expected status 405.`)]),
    ...(got.status !== 405 || /\bPOST\b/.test(allow ?? '')
      ? []
      : [about(got, 'ERR-001', `Allow is ${allow ?? 'absent'}.`)]),
    ...(posted.status === 415 && ownMember(posted.json, 'code') === 'invalid_request'
      ? []
      : [
          about(
            posted,
            'ERR-001',
            `text/plain: ${described(posted)} Expected status 415 with invalid_request.`,
          ),
        ]),
  ])
}
