import { judged, skipped, type Finding, type Outcome, type ProbeResponse } from '@doorplate/conformance-kit'
import type { Rule } from '../requirements.js'
import { opaqueTag } from '../site/examine-headers.js'
import { readDocument } from '../site/read-document.js'
import type { Site } from '../site/site.js'
import { oneOfEachKind, type ExampleDocument } from './example-documents.js'
import type { SiteCheck } from './site-check.js'

/** Methods, negotiation and what browsers need. */
export function httpChecks(rule: Rule): readonly SiteCheck[] {
  return [
    {
      id: 'http.head',
      title: 'HEAD is answered as GET is, without the body',
      requirements: [rule('HTTP-011'), rule('HTTP-026')],
      needs: ['traversal.sitemap_index'],
      hint: 'Route HEAD to the handler of GET and leave out the body.',
      run: judgeHead,
    },
    {
      id: 'http.methods',
      title: 'A method that is not supported is answered with 405 and Allow',
      requirements: [rule('HTTP-012')],
      needs: ['manifest.http'],
      hint: 'Answer 405 with Allow: GET, HEAD, OPTIONS.',
      run: judgeMethods,
    },
    {
      id: 'http.preflight',
      title: 'Preflight requests of browsers are granted',
      requirements: [rule('HTTP-013'), rule('HTTP-014'), rule('HTTP-015')],
      needs: ['traversal.sitemap_index'],
      hint: 'Answer OPTIONS with 204, Access-Control-Allow-Methods and Access-Control-Allow-Headers.',
      run: judgePreflight,
    },
    {
      id: 'http.cors',
      title: 'Scripts of any origin may read documents, their ETag, errors and 304s',
      requirements: [rule('HTTP-014'), rule('HTTP-016')],
      needs: ['traversal.sitemap_index'],
      hint: 'Send Access-Control-Allow-Origin: * with every response and expose ETag.',
      run: judgeCors,
    },
    {
      id: 'http.vary',
      title: 'What a response depends on is named in Vary',
      requirements: [rule('CACHE-014')],
      needs: ['traversal.sitemap_index'],
      hint: 'Name Accept-Encoding in Vary when responses are compressed, and Origin when it is echoed.',
      run: judgeVary,
    },
    {
      id: 'http.compression',
      title: 'Compressed responses have weak entity tags that still match',
      requirements: [rule('CACHE-015'), rule('CACHE-005')],
      needs: ['traversal.sitemap_index'],
      hint: 'Let whatever compresses put W/ in front of the ETag (nginx does), and compare tags weakly.',
      run: judgeCompression,
    },
    {
      id: 'http.unknown_query',
      title: 'Query parameters without a meaning change nothing',
      requirements: [rule('HTTP-017')],
      needs: ['traversal.sitemap_index'],
      hint: 'Ignore parameters that you do not know, such as those of link trackers.',
      run: judgeUnknownQuery,
    },
  ]
}

/** A web page that wants to read the site; the name can belong to nobody. */
const FOREIGN_ORIGIN = 'https://reader.invalid'

async function judgeHead(site: Site): Promise<Outcome> {
  const examples = await oneOfEachKind(site)
  const findings = await Promise.all(examples.map((example) => judgeHeadOf(site, example)))
  return judged(findings.flat())
}

/** Fields that a reader uses and that do not change from one request to the next. */
const STABLE_FIELDS = ['content-type', 'etag', 'last-modified']

async function judgeHeadOf({ log, rule }: Site, { reading }: ExampleDocument): Promise<readonly Finding[]> {
  const { url, headers } = reading
  const exchange = await log.send({ url, method: 'HEAD' })
  const finding = (number: string, message: string): Finding => ({ requirement: rule(number), url, message })
  if (!exchange.ok) return [finding('HTTP-011', `No response to HEAD: ${exchange.failure.message}`)]
  const { status, headers: ofHead } = exchange.response
  if (status !== 200) return [finding('HTTP-011', `HEAD is answered with status ${status}, GET with 200.`)]
  const differing = STABLE_FIELDS.filter(
    (name) => opaqueTag(ofHead[name] ?? '') !== opaqueTag(headers[name] ?? ''),
  )
  const fields = differing.map((name) =>
    finding(
      'HTTP-011',
      `${name} of HEAD is ${ofHead[name] ?? 'absent'}, of GET ${headers[name] ?? 'absent'}.`,
    ),
  )
  const [forHead, forGet] = [ofHead['content-length'], headers['content-length']]
  const isComparable =
    forHead !== undefined && forGet !== undefined && ofHead['content-encoding'] === undefined
  if (!isComparable || forHead === forGet) return fields
  return [...fields, finding('HTTP-026', `Content-Length of HEAD is ${forHead}, of GET ${forGet}.`)]
}

/** The manifest has the one path that is known to be a document of this very site. */
async function judgeMethods({ log, rule, manifestUrl }: Site): Promise<Outcome> {
  const exchange = await log.send({ url: manifestUrl, method: 'POST', body: '' })
  const finding = (message: string): Outcome =>
    judged([{ requirement: rule('HTTP-012'), url: manifestUrl, message }])
  if (!exchange.ok) return finding(`No response to POST: ${exchange.failure.message}`)
  const { status, headers } = exchange.response
  if (status !== 405) return finding(`POST is answered with status ${status}, expected 405.`)
  const allow = headers['allow']
  if (listed(allow).includes('get')) return judged([], `Allow: ${allow ?? ''}`)
  return finding(`Allow is ${allow ?? 'absent'}; expected a list with GET.`)
}

async function judgePreflight(site: Site): Promise<Outcome> {
  const { url } = (await site.index()).reading
  const headers = {
    origin: FOREIGN_ORIGIN,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'if-modified-since, if-none-match',
  }
  const exchange = await site.log.send({ url, method: 'OPTIONS', headers })
  const finding = (number: string, message: string): Finding => ({
    requirement: site.rule(number),
    url,
    message,
  })
  if (!exchange.ok)
    return judged([finding('HTTP-013', `No response to OPTIONS: ${exchange.failure.message}`)])
  const { status, headers: granted } = exchange.response
  if (status !== 204)
    return judged([finding('HTTP-013', `OPTIONS is answered with status ${status}, expected 204.`)])
  const methods = listed(granted['access-control-allow-methods'])
  const fields = listed(granted['access-control-allow-headers'])
  const missing = ['if-none-match', 'if-modified-since'].filter(
    (name) => !fields.includes(name) && !fields.includes('*'),
  )
  return judged([
    ...openFindings(site, url, exchange.response, 'the preflight'),
    ...(methods.includes('get') || methods.includes('*')
      ? []
      : [finding('HTTP-015', 'Access-Control-Allow-Methods does not name GET.')]),
    ...missing.map((name) => finding('HTTP-015', `Access-Control-Allow-Headers does not name ${name}.`)),
  ])
}

async function judgeCors(site: Site): Promise<Outcome> {
  const { url, data } = (await site.index()).reading
  const tag = `"${(data as { checksum: string }).checksum}"`
  const document = await site.log.send({ url, headers: { origin: FOREIGN_ORIGIN } })
  const notModified = await site.log.send({ url, headers: { origin: FOREIGN_ORIGIN, 'if-none-match': tag } })
  const { badCursor } = await site.errors()
  const failed =
    badCursor && (await site.log.send({ url: badCursor.reading.url, headers: { origin: FOREIGN_ORIGIN } }))
  if (!document.ok) return judged([])
  const exposed = listed(document.response.headers['access-control-expose-headers'])
  const isExposed = exposed.includes('etag') || exposed.includes('*')
  const hidden: Finding = {
    requirement: site.rule('HTTP-016'),
    url,
    message: 'Access-Control-Expose-Headers does not name ETag: scripts cannot read it.',
  }
  return judged([
    ...openFindings(site, url, document.response, 'the document'),
    ...(isExposed ? [] : [hidden]),
    ...(notModified.ok && notModified.response.status === 304
      ? openFindings(site, url, notModified.response, 'the 304')
      : []),
    ...(failed?.ok ? openFindings(site, failed.request.url, failed.response, 'the error') : []),
  ])
}

function openFindings(
  { rule }: Site,
  url: string,
  { headers }: ProbeResponse,
  what: string,
): readonly Finding[] {
  const allowed = headers['access-control-allow-origin']
  if (allowed === '*') return []
  const message = `Access-Control-Allow-Origin of ${what} is ${allowed ?? 'absent'}, expected *.`
  return [{ requirement: rule('HTTP-014'), url, message }]
}

async function judgeVary(site: Site): Promise<Outcome> {
  const examples = await oneOfEachKind(site)
  const findings = await Promise.all(examples.map(({ reading }) => judgeVaryOf(site, reading.url)))
  return judged(findings.flat())
}

async function judgeVaryOf({ log, rule }: Site, url: string): Promise<readonly Finding[]> {
  const exchange = await log.send({ url, headers: { 'accept-encoding': 'gzip', origin: FOREIGN_ORIGIN } })
  if (!exchange.ok) return []
  const { response } = exchange
  const isEchoed = response.headers['access-control-allow-origin'] === FOREIGN_ORIGIN
  const missing = (name: string, why: string): readonly Finding[] =>
    varies(response, name.toLowerCase())
      ? []
      : [{ requirement: rule('CACHE-014'), url, message: `${why}, but Vary does not name ${name}.` }]
  return [
    ...(isCompressed(response) ? missing('Accept-Encoding', 'The response is compressed') : []),
    ...(isEchoed ? missing('Origin', 'The origin of the request is echoed') : []),
  ]
}

/** Servers compress what is long enough, and an index may be short. */
async function judgeCompression(site: Site): Promise<Outcome> {
  const examples = await oneOfEachKind(site)
  const judgements = await Promise.all(examples.map(({ reading }) => judgeCompressionOf(site, reading.url)))
  if (judgements.every((findings) => findings === undefined)) return skipped('Responses are not compressed.')
  return judged(judgements.flatMap((findings) => findings ?? []))
}

/** Absent when the response is not compressed. */
async function judgeCompressionOf({ log, rule }: Site, url: string): Promise<readonly Finding[] | undefined> {
  const plain = await log.send({ url, headers: { 'accept-encoding': 'identity' } })
  const gzip = await log.send({ url, headers: { 'accept-encoding': 'gzip' } })
  if (!plain.ok || !gzip.ok || !isCompressed(gzip.response)) return undefined
  const etag = gzip.response.headers['etag']
  if (etag === undefined) return []
  if (!etag.startsWith('W/') && etag === plain.response.headers['etag']) {
    const message = `The compressed response has the strong ETag ${etag} of the one that is not.`
    return [{ requirement: rule('CACHE-015'), url, message }]
  }
  const again = await log.send({ url, headers: { 'accept-encoding': 'gzip', 'if-none-match': etag } })
  if (!again.ok || again.response.status === 304) return []
  // A tag that never matches is the business of http.cache.
  const without = await log.send({ url, headers: { 'accept-encoding': 'identity', 'if-none-match': etag } })
  if (!without.ok || without.response.status !== 304) return []
  const message = `Compressed, If-None-Match: ${etag} is answered with status ${again.response.status}, expected 304.`
  return [{ requirement: rule('CACHE-005'), url, message }]
}

async function judgeUnknownQuery(site: Site): Promise<Outcome> {
  const { url: indexUrl, data } = (await site.index()).reading
  const url = new URL(indexUrl)
  url.searchParams.set('utm_source', 'aadp-conformance')
  const reading = await readDocument(site.log, { url: url.href })
  const expected = (data as { checksum?: unknown }).checksum
  const actual = (reading.data as { checksum?: unknown } | null | undefined)?.checksum
  if (reading.status === 200 && actual === expected) return judged([])
  const message = `With ?utm_source the index is answered with status ${reading.status ?? 'none'} and another checksum.`
  return judged([{ requirement: site.rule('HTTP-017'), url: url.href, message }])
}

function isCompressed({ isDecoded, headers }: ProbeResponse): boolean {
  return isDecoded ?? headers['content-encoding'] !== undefined
}

function varies({ headers }: ProbeResponse, name: string): boolean {
  const fields = listed(headers['vary'])
  return fields.includes(name) || fields.includes('*')
}

/** The members of a comma-separated field, in lower case. */
function listed(field: string | undefined): readonly string[] {
  return (field ?? '')
    .toLowerCase()
    .split(',')
    .map((member) => member.trim())
}
