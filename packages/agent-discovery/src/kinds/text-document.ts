import { isErrorPage } from '../llms-txt/error-page.js'
import { parseLlmsTxt } from '../llms-txt/parse-llms-txt.js'
import { parseRobots } from '../robots/parse-robots.js'
import { recognizeLinksetText } from './api-catalog.js'
import {
  invalid,
  judged,
  reachable,
  verified,
  type Identification,
  type ReceivedDocument,
} from './identification.js'
import type { Kind } from '../resources/kind.js'
import { firstElement, isHtml } from './markup.js'
import { recognizeOpenapiYaml } from './openapi.js'

/** What a document that is no JSON is. */
export function identifyText(text: string, document: ReceivedDocument): Identification {
  const kind = document.promised ?? (document.mediaType === 'text/markdown' ? 'markdown' : 'linked-resource')
  if (text.trim() === '') return invalid(kind, ['empty'])
  if (isHtml(text)) return invalid(kind, ['html-body'])
  const found = recognizeLinksetText(text, document) ?? recognizeXml(text) ?? recognizeOpenapiYaml(text)
  if (found) return found
  if (isErrorPage(text)) return invalid(kind, ['not-found-heading'])
  const judge = TEXT_KINDS.get(kind)
  if (judge) return judge(text, document.url)
  return WITHOUT_SIGNATURE.has(kind)
    ? reachable(kind, 'no-known-signature')
    : invalid(kind, ['signature-mismatch'])
}

const WITHOUT_SIGNATURE: ReadonlySet<Kind> = new Set<Kind>([
  'linked-resource',
  'agent-skill',
  'api-documentation',
  'service-status',
])

const TEXT_KINDS: ReadonlyMap<Kind, (text: string, url: string) => Identification> = new Map([
  ['llms-txt', judgeLlmsTxt],
  ['llms-full-txt', judgeLlmsFullTxt],
  ['auth-md', (text) => judged('auth-md', startsWithHeading(text) ? [] : ['signature-mismatch'], HEADING)],
  ['markdown', () => verified('markdown', { signature: ['text that is neither HTML nor an error page'] })],
  ['robots-txt', judgeRobots],
  ['security-txt', judgeSecurityTxt],
])

const HEADING = { signature: ['begins with a heading'] } as const

function judgeLlmsTxt(text: string, url: string): Identification {
  const { title, links, sections } = parseLlmsTxt(text, { url })
  if (title === undefined) return invalid('llms-txt', ['signature-mismatch'])
  const count = links.length + sections.reduce((sum, section) => sum + section.links.length, 0)
  return verified('llms-txt', { ...HEADING, warnings: count === 0 ? ['no-links'] : [] })
}

function judgeLlmsFullTxt(text: string): Identification {
  return startsWithHeading(text)
    ? verified('llms-full-txt', HEADING)
    : reachable('llms-full-txt', 'no-known-signature')
}

function judgeRobots(text: string, url: string): Identification {
  const { knownLines } = parseRobots(text, { url })
  return judged('robots-txt', knownLines === 0 ? ['signature-mismatch'] : [], {
    signature: ['has lines of robots.txt'],
  })
}

/** RFC 9116 requires both fields. */
function judgeSecurityTxt(text: string): Identification {
  const complete = /^contact:/im.test(text) && /^expires:/im.test(text)
  return judged('security-txt', complete ? [] : ['signature-mismatch'], {
    signature: ['Contact and Expires lines'],
  })
}

function startsWithHeading(text: string): boolean {
  return /^[\s\ufeff]*# \S/.test(text.slice(0, 4096))
}

function recognizeXml(text: string): Identification | undefined {
  const { name, attributes } = firstElement(text)
  if (name === 'rsl') {
    const reasons = attributes.includes('https://rslstandard.org/rsl') ? [] : ['missing-namespace']
    return judged('rsl-license', reasons, { signature: ['root element rsl'] })
  }
  if (name === 'urlset' || name === 'sitemapindex')
    return verified('sitemap', { signature: [`root element ${name}`] })
  return name === 'schemamap'
    ? verified('nlweb-schemamap', { signature: ['root element schemamap'] })
    : undefined
}
