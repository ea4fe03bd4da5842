import type { Resource } from '../resources/resource.js'
import { escapeMarkdown } from '../text/untrusted-text.js'

/**
 * An "Agent resources" section in Markdown, or nothing where there are none. Titles are escaped and quoted: they are words of
 * the site, not of whoever shows them.
 */
export function toMarkdownSection(result: { readonly resources: readonly Resource[] }): string {
  if (result.resources.length === 0) return ''
  return ['## Agent resources', '', ...result.resources.map(line), ''].join('\n')
}

function line({ kind, url, state, reasons, title }: Resource): string {
  const quoted = title === undefined ? '' : `: "${escapeMarkdown(title)}"`
  const why = reasons.length === 0 ? '' : `, ${reasons.map(escapeMarkdown).join(', ')}`
  return `- ${kind} <${url}>${quoted} (${state}${why})`
}
