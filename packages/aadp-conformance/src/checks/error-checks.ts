import { validateDocument, type ErrorEnvelopeV1 } from '@doorplate/aadp-schemas'
import { inconclusive, judged, skipped, type Finding, type Outcome } from '@doorplate/conformance-kit'
import type { Rule } from '../requirements.js'
import type { ErrorProbe } from '../site/error-probes.js'
import { hasDirective, isJson } from '../site/examine-headers.js'
import type { Site } from '../site/site.js'
import type { SiteCheck } from './site-check.js'

/** How the site says no. */
export function errorChecks(rule: Rule): readonly SiteCheck[] {
  return [
    {
      id: 'errors.not_found',
      title: 'An entity that does not exist is answered with 404 and not_found',
      requirements: [rule('ERR-006'), rule('ERR-001'), rule('ERR-014')],
      needs: ['traversal.sitemap'],
      hint: 'Answer with status 404 and an error document. Give --unknown-entity-url to make this check authoritative.',
      run: async (site) => {
        const { notFound } = await site.errors()
        return judgeRefusal(site, notFound, {
          status: 404,
          code: 'not_found',
          number: 'ERR-006',
          give: '--unknown-entity-url',
        })
      },
    },
    {
      id: 'errors.unsupported_type',
      title: 'A type that does not exist is answered with 404 and unsupported_type',
      requirements: [rule('ERR-007'), rule('ERR-001'), rule('ERR-014')],
      needs: ['traversal.sitemap'],
      hint: 'Answer with status 404 and an error document. Give --unknown-type-url to make this check authoritative.',
      run: async (site) => {
        const { unsupportedType } = await site.errors()
        const expected = {
          status: 404,
          code: 'unsupported_type',
          number: 'ERR-007',
          give: '--unknown-type-url',
        }
        return judgeRefusal(site, unsupportedType, expected)
      },
    },
    {
      id: 'errors.invalid_id',
      title: 'An entity name that is no token is answered with 400 and invalid_request',
      requirements: [rule('HTTP-019')],
      needs: ['traversal.sitemap'],
      hint: 'Check the name against the grammar of tokens before looking for the entity.',
      run: async (site) => {
        const { invalidId } = await site.errors()
        if (invalidId === undefined) return skipped('The URLs of entities do not show where the name is.')
        return judgeRefusal(site, invalidId, { status: 400, code: 'invalid_request', number: 'HTTP-019' })
      },
    },
    {
      id: 'errors.content_type',
      title: 'Error documents are served as JSON',
      requirements: [rule('HTTP-004')],
      needs: ['traversal.sitemap'],
      hint: 'Send Content-Type: application/json with every error document.',
      run: async (site) => judgeEach(site, wrongMediaType),
    },
    {
      id: 'errors.not_cacheable',
      title: 'Errors are kept out of caches',
      requirements: [rule('CACHE-009'), rule('CACHE-013')],
      needs: ['traversal.sitemap'],
      hint: 'Send Cache-Control: no-store with every error; a 404 without it may be cached by heuristics.',
      run: async (site) => judgeEach(site, cacheable),
    },
    {
      id: 'errors.request_ids',
      title: 'Every error has a request id of its own',
      requirements: [rule('ERR-016')],
      needs: ['traversal.sitemap'],
      hint: 'Make a new id for each request, such as a UUID, and write it to your log.',
      run: judgeRequestIds,
    },
  ]
}

interface Refusal {
  readonly status: number
  readonly code: string
  /** The rule about this refusal. */
  readonly number: string
  /** The option that makes the check authoritative. */
  readonly give?: string
}

function judgeRefusal(site: Site, probe: ErrorProbe | undefined, expected: Refusal): Outcome {
  if (probe !== undefined) return judged(refusalFindings(site, probe, expected))
  return inconclusive(`No such URL can be derived from the documents; give ${expected.give ?? 'one'}.`)
}

/** What is wrong with a refusal. What a derived URL shows warns only: it may not mean what it seems to. */
export function refusalFindings(
  { rule, version }: Site,
  { reading, isDerived }: ErrorProbe,
  { status, code, number }: Refusal,
): readonly Finding[] {
  const { url, exchange, data } = reading
  const finding = (ruleNumber: string, message: string, pointer?: string): Finding => ({
    requirement: rule(ruleNumber),
    url,
    message: isDerived ? `${message} (The URL was derived.)` : message,
    ...(pointer !== undefined && { pointer }),
    advisory: isDerived,
  })
  if (!exchange.ok)
    return [finding(number, `No response: ${exchange.failure.message} (${exchange.failure.code})`)]
  if (exchange.response.status !== status) {
    return [finding(number, `Status ${exchange.response.status}, expected ${status}.`)]
  }
  const { issues } = validateDocument({ version, kind: 'error', data })
  if (issues.length > 0) {
    return issues.map(({ path, message }) =>
      finding('ERR-001', `The body is no error document: ${message}`, path),
    )
  }
  const actual = (data as ErrorEnvelopeV1).error.code
  return actual === code ? [] : [finding(number, `The code is ${actual}, expected ${code}.`, '/error/code')]
}

async function judgeEach(
  site: Site,
  judge: (site: Site, probe: ErrorProbe) => readonly Finding[],
): Promise<Outcome> {
  const failed = await refusals(site)
  if (failed.length === 0) return skipped('No request was answered with an error.')
  return judged(failed.flatMap((probe) => judge(site, probe)))
}

/** The probes that were answered with an error at all. */
async function refusals(site: Site): Promise<readonly ErrorProbe[]> {
  const probes = Object.values(await site.errors()) as readonly ErrorProbe[]
  return probes.filter(({ reading }) => (reading.status ?? 0) >= 400)
}

function wrongMediaType({ rule }: Site, { reading, isDerived }: ErrorProbe): readonly Finding[] {
  const type = reading.headers['content-type']
  if (isJson(type)) return []
  const message = `Content-Type of the error is ${type ?? 'absent'}, expected application/json.`
  return [{ requirement: rule('HTTP-004'), url: reading.url, message, advisory: isDerived }]
}

function cacheable({ rule }: Site, { reading, isDerived }: ErrorProbe): readonly Finding[] {
  const { url, headers } = reading
  const field = headers['cache-control']
  if (hasDirective(field, 'no-store')) return []
  const allowsCaching =
    hasDirective(field, 'public', 'max-age', 's-maxage', 'immutable') && !/max-age=0\b/.test(field ?? '')
  const message = `Cache-Control of the error is ${field ?? 'absent'}, expected no-store.`
  return [{ requirement: rule(allowsCaching ? 'CACHE-009' : 'CACHE-013'), url, message, advisory: isDerived }]
}

async function judgeRequestIds(site: Site): Promise<Outcome> {
  const ids = (await refusals(site)).flatMap(({ reading }) => {
    const isEnvelope = validateDocument({ version: site.version, kind: 'error', data: reading.data }).valid
    return isEnvelope ? [{ url: reading.url, id: (reading.data as ErrorEnvelopeV1).error.request_id }] : []
  })
  if (ids.length < 2) return skipped('Fewer than two requests were answered with an error document.')
  return judged(
    ids.flatMap(({ url, id }, position) => {
      if (ids.findIndex((other) => other.id === id) === position) return []
      const message = `The request id ${id} was given to another request before.`
      return [{ requirement: site.rule('ERR-016'), url, pointer: '/error/request_id', message }]
    }),
  )
}
