import { checkOption, isRecord } from '../options/check-option.js'
import { wellFormed } from '../text/untrusted-text.js'
import { checkLlmsTxt } from './check-llms-txt.js'

/** What an llms.txt says. Texts are written on one line; URLs may be relative to the file. */
export interface LlmsTxtToFormat {
  readonly title: string
  readonly summary?: string
  /** Paragraphs between summary and sections. */
  readonly details?: readonly string[]
  readonly sections?: readonly {
    readonly name: string
    readonly links: readonly { readonly title: string; readonly url: string; readonly notes?: string }[]
  }[]
}

/**
 * An llms.txt (llmstxt.org) that `parseLlmsTxt` reads back.
 *
 * @throws {AgentDiscoveryError} `invalid_option`
 */
export function formatLlmsTxt(document: LlmsTxtToFormat): string {
  checkOption('document', isRecord(document), 'an object')
  checkOption('title', typeof (document.title as unknown) === 'string', 'a text')
  checkLlmsTxt(document)
  const blocks = [`# ${oneLine(document.title)}`]
  if (document.summary) blocks.push(`> ${oneLine(document.summary)}`)
  blocks.push(...(document.details ?? []).map(oneLine))
  for (const { name, links } of document.sections ?? []) {
    blocks.push(
      [`## ${oneLine(name)}`, ...(links.length > 0 ? [''] : []), ...links.map(formatLink)].join('\n'),
    )
  }
  return `${blocks.join('\n\n')}\n`
}

function formatLink({ title, url, notes }: { title: string; url: string; notes?: string }): string {
  const label = oneLine(title).replaceAll('[', '(').replaceAll(']', ')')
  const target = encodeURI(decodeSafely(wellFormed(oneLine(url)))).replace(/[()]/g, (bracket) =>
    bracket === '(' ? '%28' : '%29',
  )
  return `- [${label}](${target})${notes ? `: ${oneLine(notes)}` : ''}`
}

function decodeSafely(url: string): string {
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
