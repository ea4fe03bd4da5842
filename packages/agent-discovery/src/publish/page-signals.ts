import { formatLinkHeader } from '../link/format-link-header.js'
import type { DescribedResource } from './described-resource.js'
import { escapeHtml } from './escape-html.js'
import { publicationOf } from './publication.js'
import type { SiteDescription } from './site-description.js'

export function linkHeader(resources: readonly DescribedResource[]): string {
  return formatLinkHeader(
    resources.flatMap(({ kind, reference, type, title }) => {
      const { relation } = publicationOf(kind)
      if (relation === undefined) return []
      return [
        {
          target: reference,
          rels: [relation],
          ...(type !== undefined && { type }),
          ...(title !== undefined && { title }),
        },
      ]
    }),
  )
}

export function htmlHead(resources: readonly DescribedResource[]): string {
  return resources
    .map(headElement)
    .filter((element) => element !== '')
    .join('\n')
}

function headElement({ kind, reference, type, title }: DescribedResource): string {
  const { relation, meta } = publicationOf(kind)
  if (meta !== undefined) return `<meta name="${meta}" content="${escapeHtml(reference)}">`
  if (relation === undefined) return ''
  const optional = [
    type === undefined ? '' : ` type="${escapeHtml(type)}"`,
    title === undefined ? '' : ` title="${escapeHtml(title)}"`,
  ]
  return `<link rel="${relation}" href="${escapeHtml(reference)}"${optional.join('')}>`
}

export function htmlNotice(
  { name, notice }: SiteDescription,
  resources: readonly DescribedResource[],
): string {
  const manifest = resources.find(({ kind }) => kind === 'ahp-manifest')
  if (!manifest) return ''
  const text = notice ?? `AI agents can talk to ${name} directly. What it offers is described in`
  const link = `<a href="${escapeHtml(manifest.reference)}" rel="ahp-manifest">${escapeHtml(manifest.title ?? 'its agent manifest')}</a>`
  return `<section class="ahp-notice" aria-label="AI Agent Notice" hidden style="display:none">${escapeHtml(text)} ${link}.</section>`
}
