import { posix } from 'node:path'
import { html, trustedHtml, type Html } from '../html.js'
import type { LibraryDocument } from '../library.js'
import { renderMarkdown, type Section } from '../markdown-document.js'
import { entityIdOf, entityOf, HOME, LICENSE, pageOf } from '../routes.js'
import { layout } from './layout.js'

const REPOSITORY = 'https://github.com/doorplate/doorplate/blob/main/'
const MIN_CONTENTS = 4

export function documentPage(
  document: LibraryDocument,
  options: { readonly all: readonly LibraryDocument[] },
): string {
  const pages = new Map(options.all.map((other) => [other.path, pageOf(other)]))
  const resolveLink = (href: string): string => pageLink(href, { from: document.path, pages })
  return layout({
    title: `${document.title} · Doorplate`,
    description: document.summary,
    section: 'Documents',
    alternate: entityOf(document),
    body: html`<div class="document">
      <p class="facts">
        <a href="${HOME}#shelf-${document.type}">All documents</a>
        <code>${entityIdOf(document)}</code>
        <a href="${entityOf(document)}">This document as JSON</a>
      </p>
      ${contents(document.sections)}
      <article>
        ${document.sections.some(({ level }) => level === 1) ? undefined : html`<h1>${document.title}</h1>`}
        ${trustedHtml(renderMarkdown(document.text, { resolveLink }))}
      </article>
    </div>`,
  })
}

function contents(sections: readonly Section[]): Html | undefined {
  const main = sections.filter(({ level }) => level === 2)
  if (main.length < MIN_CONTENTS) return undefined
  return html`<nav class="contents" aria-label="On this page">
    <h2>On this page</h2>
    <ol>
      ${main.map(({ title, anchor }) => html`<li><a href="#${anchor}">${title}</a></li>`)}
    </ol>
  </nav>`
}

/** A link between files, or to one where it is kept, becomes one between pages where the file has a page. */
export function pageLink(
  href: string,
  { from, pages }: { readonly from: string; readonly pages: ReadonlyMap<string, string> },
): string {
  if (href.startsWith(REPOSITORY))
    return pageLink(href.slice(REPOSITORY.length), { from: 'README.md', pages })
  if (href.startsWith('#') || href.startsWith('/') || URL.canParse(href)) return href
  const [path = '', fragment] = href.split('#', 2)
  const target = posix.join(posix.dirname(from), path)
  if (target.startsWith('..')) return '#'
  const suffix = fragment === undefined ? '' : `#${fragment}`
  if (target === 'LICENSE') return LICENSE
  const page = pages.get(target) ?? pages.get(posix.join(target, 'README.md'))
  return (page ?? REPOSITORY + target) + suffix
}
