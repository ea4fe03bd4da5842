import type { ManifestV1 } from '@doorplate/aadp-schemas'
import type { RouteTable } from '../routes/route-table.js'

/** The llms.txt listing: the application in a few lines of Markdown, with links to what is published for agents. */
export function buildLlmsTxt(manifest: ManifestV1, routes: RouteTable): string {
  const { application, policies, resources = [], interfaces = [] } = manifest
  const sections: [string, string[]][] = [
    [
      'Documents',
      [
        link('Manifest', routes.url('manifest'), 'what this application offers, as JSON (AADP 1.0)'),
        link('Sitemap index', routes.url('sitemapIndex'), 'every sitemap'),
        ...(routes.has('openapi')
          ? [link('OpenAPI', routes.url('openapi'), 'the same routes as an API')]
          : []),
      ],
    ],
    [
      'Content',
      resources.map(({ type }) =>
        link(type, routes.url('sitemap', { type }), `every entity of type ${type}`),
      ),
    ],
    [
      'Interfaces',
      interfaces.map(({ id, type, endpoint, documentation }) =>
        link(id, documentation ?? endpoint ?? '', type),
      ),
    ],
    ['Terms', [link('Terms of use', policies.terms), link('Robots', policies.robots)]],
  ]
  const listed = sections.filter(([, links]) => links.length > 0)
  return [
    `# ${plain(application.name)}`,
    `> ${plain(application.description)}`,
    ...listed.map(([title, links]) => `## ${title}\n\n${links.join('\n')}`),
  ]
    .join('\n\n')
    .concat('\n')
}

function link(name: string, url: string, note?: string): string {
  const target = `- [${plain(name)}](${linkTarget(url)})`
  return note === undefined ? target : `${target}: ${plain(note)}`
}

/** `encodeURIComponent` leaves parentheses as they are, and one of them would end the link. */
function linkTarget(url: string): string {
  return url
    .replace(/[<>\s]/g, encodeURIComponent)
    .replaceAll('(', '%28')
    .replaceAll(')', '%29')
}

/** One line of text in which nothing is Markdown. */
function plain(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#]/g, '\\$&')
}
