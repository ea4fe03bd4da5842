import type { Exchange } from '../exchange.js'
import { html, type Html } from '../html.js'
import { layout } from '../pages/layout.js'
import { CATALOGUE, cataloguePageOf, MANIFEST, SITEMAP_INDEX } from '../routes.js'
import type { CatalogueEntity, CataloguePage, CatalogueType, Protection } from './catalogue.js'
import { jsonText } from '../pages/json-text.js'

const DESCRIPTION = 'Everything that this site publishes to agents over AADP, to be looked through by people.'

const ABOUT: Readonly<Record<string, string>> = {
  guide: 'The project as a whole, and how to take part.',
  package: 'The README of each package.',
  spec: 'The rules of the protocols, in words.',
  post: 'News of the house, in two languages.',
  product: 'What the small shop sells.',
  order: 'What customers have ordered: to each only its own.',
  record: 'Generated, to see what happens with many.',
}

export function cataloguePage(types: readonly CatalogueType[]): string {
  return layout({
    ...{
      title: 'Catalogue · Doorplate',
      description: DESCRIPTION,
      section: 'Catalogue',
      alternate: SITEMAP_INDEX,
    },
    body: html`<div class="intro">
        <h1>Catalogue</h1>
        <p>
          What agents read here over AADP: <a href="${MANIFEST}">a manifest</a> names
          <a href="${SITEMAP_INDEX}">an index</a>, which lists these types of documents.
        </p>
      </div>
      <ul class="cards">
        ${types.map(
          ({ type, count, protection }) =>
            html`<li class="panel">
              <h2><a href="${CATALOGUE}/${type}">${type}</a></h2>
              <p>${Object.hasOwn(ABOUT, type) ? ABOUT[type] : 'Documents of this type.'}</p>
              <p class="facts">
                ${count === undefined ? undefined : `${count.toLocaleString('en')} ${count === 1 ? 'document' : 'documents'}`}
                ${protection === undefined ? html`<span class="chip good">open</span>` : html`<span class="chip fair">protected</span>`}
              </p>
            </li>`,
        )}
      </ul>`,
  })
}

export function typePage({
  type: { type, count, protection },
  exchange,
  items,
  nextCursor,
}: CataloguePage): string {
  return layout({
    title: `${type} · Catalogue · Doorplate`,
    ...{ description: DESCRIPTION, section: 'Catalogue', alternate: exchange.path },
    body: html`<div class="intro">
        <p class="kicker"><a href="${CATALOGUE}">Catalogue</a></p>
        <h1>${type}</h1>
        <p>${Object.hasOwn(ABOUT, type) ? ABOUT[type] : 'Documents of this type.'}</p>
        <p class="facts">
          ${count === undefined ? undefined : html`<span>${count.toLocaleString('en')} in all</span>`}
          <a href="${exchange.path}">This page of the sitemap as JSON</a>
        </p>
      </div>
      ${
        exchange.status === 200
          ? html`<ul class="rows listing">
                ${items.map(({ id, title, updatedAt }) => {
                  const [, slug = ''] = id.split(':')
                  return html`<li>
                    <a href="${cataloguePageOf({ type, slug })}">${title ?? id}</a>
                    <span class="facts"
                      ><code>${id}</code> <time datetime="${updatedAt}">${updatedAt.slice(0, 10)}</time></span
                    >
                  </li>`
                })}
              </ul>
              <nav class="pages" aria-label="Pages of this type">
                <a href="${CATALOGUE}/${type}">First page</a>
                ${nextCursor === undefined ? html`<span class="muted">This is the last page.</span>` : html`<a rel="next" href="${CATALOGUE}/${type}?${new URLSearchParams({ cursor: nextCursor }).toString()}">Next page</a>`}
              </nav>`
          : refusal(exchange, protection)
      }
      ${answerSection(exchange)}`,
  })
}

export function entityPage({
  exchange,
  protection,
  document,
  computedChecksum,
  locales,
}: CatalogueEntity): string {
  const [, type = '', slug = ''] = /\/([^/]+)\/([^/]+)\.json/.exec(exchange.path) ?? []
  const { title } = Object(document?.data) as { readonly title?: unknown }
  const name = typeof title === 'string' ? title : `${type}:${slug}`
  return layout({
    title: `${name} · Catalogue · Doorplate`,
    ...{ description: DESCRIPTION, section: 'Catalogue', alternate: exchange.path },
    body: html`<div class="intro">
        <p class="kicker">
          <a href="${CATALOGUE}">Catalogue</a> / <a href="${CATALOGUE}/${type}">${type}</a>
        </p>
        <h1 class="address" ${document?.locale === undefined ? undefined : html`lang="${document.locale}"`}>
          ${name}
        </h1>
        <p class="facts">
          <code>${type}:${slug}</code>
          ${document === undefined ? undefined : html`<time datetime="${document.updated_at}">${document.updated_at.slice(0, 10)}</time>`}
          <a href="${exchange.path}">The document as JSON</a>
          ${document?.canonical_url === undefined ? undefined : html`<a href="${document.canonical_url}">Its page</a>`}
        </p>
        ${locales.length === 0 ? undefined : languages({ type, slug }, { locales, current: document?.locale })}
      </div>
      ${
        document === undefined
          ? refusal(exchange, protection)
          : html`${checksumPanel(document.checksum, computedChecksum)}
              <section class="report" aria-labelledby="data">
                <h2 id="data">Data</h2>
                <pre class="data"><code>${jsonText(document.data)}</code></pre>
              </section>`
      }
      ${answerSection(exchange)}`,
  })
}

function languages(
  { type, slug }: Readonly<Record<'type' | 'slug', string>>,
  { locales, current }: { readonly locales: readonly string[]; readonly current: string | undefined },
): Html {
  return html`<nav class="languages" aria-label="Languages of this document">
    ${locales.map((locale) => html`<a href="${cataloguePageOf({ type, slug })}?locale=${locale}" hreflang="${locale}" ${locale === current ? html`aria-current="true"` : undefined}>${NAMES.of(locale) ?? locale}</a> `)}
  </nav>`
}

const NAMES = new Intl.DisplayNames('en', { type: 'language' })

function checksumPanel(declared: string, computed: string | undefined): Html {
  const isRight = declared === computed
  return html`<div class="panel seal">
    <span class="chip ${isRight ? 'good' : 'bad'}">${isRight ? 'verified' : 'wrong'}</span>
    <div>
      <p>
        ${
          isRight
            ? 'The checksum was computed over the data below, just now, and is the declared one.'
            : 'The data below has another checksum than the declared one.'
        }
      </p>
      <code class="long">${declared}</code>
    </div>
  </div>`
}

/** Why whoever has no credential sees no more. */
function refusal({ status, body }: Exchange, protection: Protection | undefined): Html {
  const { error } = JSON.parse(body) as { readonly error: { readonly message: string } }
  return html`<div class="panel seal">
    <span class="chip fair">protected</span>
    <div>
      <p>${error.message} Without a credential the answer is ${status}.</p>
      ${
        protection === undefined
          ? undefined
          : html`<p class="muted">
              The manifest names the scheme <code>${protection.scheme}</code>:
              <code>${JSON.stringify(protection.details)}</code>. The token of the demonstration is shown
              where this server was started.
            </p>`
      }
    </div>
  </div>`
}

function answerSection({ method, path, status, headers, bytes }: Exchange): Html {
  return html`<section class="report" aria-labelledby="answer">
    <h2 id="answer">As it is served</h2>
    <p class="muted">
      <code>${method} ${path}</code> was answered ${status} with ${bytes.toLocaleString('en')} bytes and these
      fields.
    </p>
    <dl class="facts-list fields">
      ${headers.map(
        ([name, value]) =>
          html`<div>
            <dt><code>${name}</code></dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </section>`
}
