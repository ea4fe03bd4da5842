import type { DiscoveryResult } from '../discover/discover.js'
import type { Resource } from '../resources/resource.js'
import { cleanText } from '../text/untrusted-text.js'

/** A table for people: what there is, how that is known, and why no more is. */
export function renderTable(result: DiscoveryResult, explain: boolean): string {
  const { finalUrl, page, resources, rejected, omitted, budget } = result
  const head = [
    finalUrl,
    ...(page.state === 'read' ? [] : [`the page itself: ${page.state} (${page.reasons.join(', ')})`]),
    '',
  ]
  const body = resources.length === 0 ? ['Nothing for agents was found.'] : rows(resources, finalUrl)
  const details = explain
    ? [...resources, ...rejected].flatMap((resource) => explanation(resource, finalUrl))
    : []
  const foot = [
    '',
    ...(omitted > 0 ? [`${omitted} more were left out.`] : []),
    ...(budget.stopped === undefined ? [] : [`Stopped early: ${budget.stopped}.`]),
    `${budget.requests} requests, ${budget.bytes} bytes, ${Math.round(budget.elapsedMs)} ms.`,
    '',
  ]
  return [...head, ...body, ...(details.length > 0 ? ['', ...details] : []), ...foot].join('\n')
}

function rows(resources: readonly Resource[], siteUrl: string): readonly string[] {
  const cells = resources.map((resource) => [
    resource.state,
    resource.kind + versionOf(resource),
    shortUrl(resource.url, siteUrl),
    resource.reasons.join(', '),
  ])
  const widths = [0, 1].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells.map(
    ([state = '', kind = '', url = '', reasons = '']) =>
      `${state.padEnd(widths[0] ?? 0)}  ${kind.padEnd(widths[1] ?? 0)}  ${url}${reasons === '' ? '' : `  (${cleanText(reasons, 300)})`}`,
  )
}

function versionOf({ version, variant }: Resource): string {
  const told = version ?? variant
  return told === undefined ? '' : ` ${told}`
}

function shortUrl(url: string, siteUrl: string): string {
  const { origin } = new URL(siteUrl)
  return url.startsWith(`${origin}/`) ? url.slice(origin.length) : url
}

function explanation(resource: Resource, siteUrl: string): readonly string[] {
  const { url, kind, state, sources, reasons, warnings, evidence, title, endpoint, aliases } = resource
  const told = sources.map(({ name, relations, via }) =>
    [name, ...(relations ?? []), ...(via === undefined ? [] : [via])].join(' '),
  )
  const lines = [
    `  state: ${state}${reasons.length === 0 ? '' : ` (${reasons.join(', ')})`}`,
    `  named by: ${told.join('; ')}`,
    ...(title === undefined ? [] : [`  title, in the words of the site: ${JSON.stringify(title)}`]),
    ...(evidence
      ? [
          `  evidence: ${evidence.method} ${evidence.status}, ${evidence.mediaType ?? 'no type'}, ${evidence.bytes} bytes${evidence.truncated ? ' (cut off)' : ''}${evidence.signature.length === 0 ? '' : `, ${evidence.signature.join(', ')}`}`,
        ]
      : []),
    ...(endpoint === undefined ? [] : [`  endpoint: ${endpoint}`]),
    ...(aliases ? [`  also at: ${aliases.join(', ')}`] : []),
    ...(warnings.length === 0 ? [] : [`  warnings: ${warnings.join(', ')}`]),
  ]
  return [`${kind}  ${shortUrl(url, siteUrl)}`, ...lines.map((line) => cleanLine(line)), '']
}

function cleanLine(line: string): string {
  return `  ${cleanText(line, 1000)}`
}
