import { counted, judged, skipped, type Finding, type Outcome } from '@doorplate/conformance-kit'
import type { Rule } from '../requirements.js'
import { opaqueTag } from '../site/examine-headers.js'
import { findingsOf, type ExaminedKind } from '../site/examination.js'
import type { Site } from '../site/site.js'
import { exampleDocuments, oneOfEachKind, type ExampleDocument } from './example-documents.js'
import { conclude, type SiteCheck } from './site-check.js'

/** Validators and conditional requests. */
export function cacheChecks(rule: Rule): readonly SiteCheck[] {
  const validators = ['CACHE-001', 'CACHE-003', 'CACHE-004', 'CACHE-005', 'CACHE-007'].map(rule)
  const hint =
    'The ETag is the checksum in double quotes, Last-Modified the time that the same document states; ' +
    'compare If-None-Match without regard to W/ and answer 304.'
  return [
    {
      id: 'http.cache.sitemap_index',
      title: 'The sitemap index carries its validators and answers with 304',
      requirements: validators,
      needs: ['traversal.sitemap_index'],
      hint,
      run: (site) => judgeValidators(site, 'sitemap-index'),
    },
    {
      id: 'http.cache.sitemap',
      title: 'Sitemap pages carry their validators and answer with 304',
      requirements: validators,
      needs: ['traversal.sitemap'],
      hint,
      run: (site) => judgeValidators(site, 'sitemap'),
    },
    {
      id: 'http.cache.entity',
      title: 'Entities carry their validators and answer with 304',
      requirements: validators,
      needs: ['traversal.sitemap'],
      hint,
      run: (site) => judgeValidators(site, 'entity'),
    },
    {
      id: 'http.cache.if_none_match',
      title: 'If-None-Match may be a list or *, and a 304 has the headers of the 200',
      requirements: [rule('CACHE-006'), rule('CACHE-018')],
      needs: ['http.cache.sitemap_index'],
      hint: 'Split the field at commas; send Cache-Control and Last-Modified with a 304 too.',
      run: judgeIfNoneMatch,
    },
    {
      id: 'http.cache.if_modified_since',
      title: 'If-Modified-Since is honoured, unless If-None-Match says otherwise',
      requirements: [rule('CACHE-008')],
      needs: ['http.cache.sitemap_index'],
      hint: 'Answer 304 when the date is not before Last-Modified and the request has no If-None-Match.',
      run: judgeIfModifiedSince,
    },
  ]
}

async function judgeValidators(site: Site, kind: ExaminedKind): Promise<Outcome> {
  const { cutShort, examinations } = await examinationsOf(site, kind)
  const examples = (await exampleDocuments(site)).filter((example) => example.kind === kind)
  if (examples.length === 0) return skipped('No document of this kind could be used.')
  const conditional = await Promise.all(examples.map((example) => judgeConditional(site, example)))
  return conclude([...findingsOf(examinations, 'validators'), ...conditional.flat()], cutShort)
}

async function examinationsOf(
  site: Site,
  kind: ExaminedKind,
): Promise<{ examinations: Parameters<typeof findingsOf>[0]; cutShort: string | undefined }> {
  if (kind === 'sitemap-index')
    return { examinations: [(await site.index()).examination], cutShort: undefined }
  const { walks, cutShort } = await site.sitemaps()
  if (kind === 'sitemap') return { examinations: walks.flatMap((walk) => walk.examinations), cutShort }
  const entities = await site.entities()
  return { examinations: entities.examinations, cutShort: entities.cutShort }
}

async function judgeConditional(site: Site, example: ExampleDocument): Promise<readonly Finding[]> {
  const tag = `"${example.state.checksum}"`
  const strong = await judgeNotModified(site, example, { 'if-none-match': tag }, 'CACHE-004')
  const weak = await judgeNotModified(site, example, { 'if-none-match': `W/${tag}` }, 'CACHE-005')
  return [...strong, ...weak]
}

/** Sends a condition that holds; expects a 304 with the ETag and without a body. */
async function judgeNotModified(
  site: Site,
  { reading, state }: ExampleDocument,
  condition: Readonly<Record<string, string>>,
  number: string,
): Promise<readonly Finding[]> {
  const { url } = reading
  const exchange = await site.log.send({ url, headers: condition })
  const [[name, value] = ['', '']] = Object.entries(condition)
  const finding = (ruleNumber: string, message: string): Finding => ({
    requirement: site.rule(ruleNumber),
    url,
    message,
  })
  if (!exchange.ok) return [finding(number, `No response to ${name}: ${exchange.failure.message}`)]
  const { status, headers, body } = exchange.response
  if (status !== 304)
    return [finding(number, `${name}: ${value} is answered with status ${status}, expected 304.`)]
  if (body.byteLength > 0)
    return [finding('CACHE-007', `The 304 has a body of ${counted(body.byteLength, 'byte')}.`)]
  const etag = headers['etag']
  if (etag !== undefined && opaqueTag(etag) === `"${state.checksum}"`) return []
  return [finding('CACHE-007', `ETag of the 304 is ${etag ?? 'absent'}, expected "${state.checksum}".`)]
}

async function judgeIfNoneMatch(site: Site): Promise<Outcome> {
  const [index] = await exampleDocuments(site)
  if (index === undefined) return judged([])
  const list = `"other", W/"${index.state.checksum}"`
  const findings = [
    ...(await judgeNotModified(site, index, { 'if-none-match': list }, 'CACHE-006')),
    ...(await judgeNotModified(site, index, { 'if-none-match': '*' }, 'CACHE-006')),
    ...(await judgeHeadersOf304(site, index)),
  ]
  return judged(findings)
}

async function judgeHeadersOf304(
  site: Site,
  { reading, state }: ExampleDocument,
): Promise<readonly Finding[]> {
  const { url, headers: of200 } = reading
  const exchange = await site.log.send({ url, headers: { 'if-none-match': `"${state.checksum}"` } })
  if (!exchange.ok || exchange.response.status !== 304) return []
  const { headers: of304 } = exchange.response
  return ['last-modified', 'cache-control'].flatMap((name) => {
    if (of200[name] === of304[name]) return []
    const message = `${name} of the 304 is ${of304[name] ?? 'absent'}; the 200 has ${of200[name] ?? 'none'}.`
    return [{ requirement: site.rule('CACHE-018'), url, message }]
  })
}

async function judgeIfModifiedSince(site: Site): Promise<Outcome> {
  const examples = await oneOfEachKind(site)
  const findings = await Promise.all(
    examples.map(async (example) => {
      const date = example.reading.headers['last-modified']
      if (date === undefined) return []
      return judgeNotModified(site, example, { 'if-modified-since': date }, 'CACHE-008')
    }),
  )
  const [index] = examples
  return judged([...findings.flat(), ...(index === undefined ? [] : await judgePrecedence(site, index))])
}

/** RFC 9110, section 13.2.2: a date has no say beside an entity tag that does not match. */
async function judgePrecedence(site: Site, { reading }: ExampleDocument): Promise<readonly Finding[]> {
  const date = reading.headers['last-modified']
  if (date === undefined) return []
  const { url } = reading
  const exchange = await site.log.send({
    url,
    headers: { 'if-none-match': '"other"', 'if-modified-since': date },
  })
  if (!exchange.ok || exchange.response.status === 200) return []
  const message = `An If-None-Match that does not match beside If-Modified-Since gives status ${exchange.response.status}, expected 200.`
  return [{ requirement: site.rule('CACHE-008'), url, message }]
}
