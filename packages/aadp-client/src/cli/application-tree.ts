import type { ManifestV1, SitemapIndexV1 } from '@doorplate/aadp-schemas'
import { plainText } from './plain-text.js'

/** An application and what it publishes, for people. */
export function applicationTree(manifest: ManifestV1, index: SitemapIndexV1): string {
  const { application, policies, interfaces = [], modules = [] } = manifest
  return [
    plainText(application.name),
    ...branches([
      ['about', application.description],
      ['publisher', `${application.publisher.name} <${application.publisher.url}>`],
      ['terms', policies.terms],
      [
        'license',
        policies.content_license
          ? `${policies.content_license.id} <${policies.content_license.url}>`
          : undefined,
      ],
      ['modules', modules.map(({ id, version }) => `${id}@${version}`).join(', ') || undefined],
      ['interfaces', interfaces.map(({ id, type }) => `${id} (${type})`).join(', ') || undefined],
    ]),
    'Resources',
    ...branches(resourcesOf(manifest, index)),
    '',
  ].join('\n')
}

function resourcesOf({ resources = [] }: ManifestV1, { sitemaps }: SitemapIndexV1): Branch[] {
  const declared = new Map(resources.map((resource) => [resource.type, resource]))
  const listed = sitemaps.map(({ type, url, count }): Branch => {
    const security = declared.get(type)?.security
    const notes = [
      count === undefined ? 'number unknown' : count === 1 ? '1 entity' : `${count} entities`,
      ...(security === undefined ? [] : [`needs ${security}`]),
    ]
    return [type, `${notes.join(', ')} <${url}>`]
  })
  const types = new Set(sitemaps.map(({ type }) => type))
  const unlisted = resources
    .filter(({ type }) => !types.has(type))
    .map(({ type }): Branch => [type, 'declared, but in no sitemap'])
  return listed.length + unlisted.length > 0 ? [...listed, ...unlisted] : [['none', 'no sitemap to show']]
}

type Branch = readonly [label: string, text: string | undefined]

function branches(all: readonly Branch[]): string[] {
  const shown = all.filter(([, text]) => text !== undefined)
  const width = Math.max(...shown.map(([label]) => label.length))
  return shown.map(([label, text = ''], index) => {
    const corner = index === shown.length - 1 ? '└─' : '├─'
    return `${corner} ${plainText(label).padEnd(width)}  ${plainText(text)}`
  })
}
