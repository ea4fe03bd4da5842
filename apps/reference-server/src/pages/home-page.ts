import type { DocumentType } from '../document-sources.js'
import { html, type Html } from '../html.js'
import type { LibraryDocument } from '../library.js'
import {
  AGENT_MANIFEST,
  ASK,
  CONVERSE,
  entityIdOf,
  entityOf,
  MANIFEST,
  OPENAPI,
  pageOf,
  SITEMAP_INDEX,
} from '../routes.js'
import { layout } from './layout.js'

interface Shelf {
  readonly type: DocumentType
  readonly title: string
  readonly about: string
}

const SHELVES: readonly Shelf[] = [
  { type: 'spec', title: 'Specification', about: 'The rules, numbered, in words.' },
  { type: 'package', title: 'Packages', about: 'What each package does and how it is used.' },
  { type: 'guide', title: 'Guides', about: 'The project as a whole, and how to take part.' },
]

export function homePage(
  documents: readonly LibraryDocument[],
  options: { readonly origin: string },
): string {
  return layout({
    title: 'Doorplate reference server',
    description: 'The documentation of Doorplate for people and for agents: to find, to read and to ask.',
    alternate: MANIFEST,
    body: html`
      <div class="plate">
        <h1>Doorplate</h1>
        <p>A doorplate says who lives here and how to reach them.</p>
      </div>
      <p class="lead">
        This server publishes the documentation of Doorplate as pages for people and as AADP documents for AI
        agents, from the same files, and has a concierge that answers both.
      </p>
      ${story(documents, options.origin)} ${shelves(documents)}
    `,
  })
}

/** What an agent does here, as steps that a person can repeat. */
function story(documents: readonly LibraryDocument[], origin: string): Html {
  const example = documents.find(({ type }) => type === 'spec') ?? documents[0]
  const entity = example === undefined ? undefined : entityOf(example)
  return html`<section aria-labelledby="how-agents-come">
    <h2 id="how-agents-come">What an agent does here</h2>
    <ol class="steps">
      <li>
        <h3>Find</h3>
        <p>
          Two manifests at well-known addresses say <a href="${MANIFEST}">what can be read</a> and
          <a href="${AGENT_MANIFEST}">what can be asked</a>. Every page leads to them.
        </p>
        <pre><code>curl ${wrappable(origin + AGENT_MANIFEST)}</code></pre>
      </li>
      <li>
        <h3>Read</h3>
        <p>
          A <a href="${SITEMAP_INDEX}">sitemap index</a> leads to every
          ${entity === undefined ? 'document' : html`<a href="${entity}">document</a>`}. Each carries the
          checksum of its data, so a copy proves itself.
        </p>
        <pre><code>curl ${wrappable(origin + (entity ?? SITEMAP_INDEX))}</code></pre>
      </li>
      <li>
        <h3>Ask</h3>
        <p>
          The concierge answers with sources, asks back, acts for those who may, and leaves to a person what
          only a person can say. <a href="${ASK}">Try it</a>; by <a href="${OPENAPI}">OpenAPI</a> and MCP it
          says the same.
        </p>
        <pre><code>curl ${wrappable(origin + CONVERSE)} -H 'content-type: application/json' -d '{"capability":"contact","query":"Who?"}'</code></pre>
      </li>
    </ol>
  </section>`
}

/** A URL that a narrow column breaks at its slashes. */
function wrappable(url: string): Html {
  const [first = '', ...rest] = url.split(/(?<=[^/:]\/)(?=[^/])/)
  return html`${first}${rest.map((part) => html`<wbr />${part}`)}`
}

function shelves(documents: readonly LibraryDocument[]): Html {
  const filled = SHELVES.map((shelf) => ({
    ...shelf,
    documents: overviewFirst(documents.filter(({ type }) => type === shelf.type)),
  })).filter((shelf) => shelf.documents.length > 0)
  return html`<div id="documents">
    ${filled.map(
      ({ type, title, about, documents }) =>
        html`<section class="shelf" aria-labelledby="shelf-${type}">
          <div class="shelf-title">
            <h2 id="shelf-${type}">${title}</h2>
            <p>${about}</p>
          </div>
          <ul>
            ${documents.map(listed)}
          </ul>
        </section>`,
    )}
  </div>`
}

function overviewFirst(documents: readonly LibraryDocument[]): readonly LibraryDocument[] {
  const isOverview = ({ slug }: LibraryDocument): boolean => slug === 'overview'
  return [...documents.filter(isOverview), ...documents.filter((document) => !isOverview(document))]
}

function listed(document: LibraryDocument): Html {
  return html`<li>
    <h3><a href="${pageOf(document)}">${document.title}</a></h3>
    <p>${document.summary}</p>
    <p class="facts">
      <code>${entityIdOf(document)}</code>
      <time datetime="${document.updatedAt.toISOString()}">${dayOf(document.updatedAt)}</time>
      <a href="${entityOf(document)}" aria-label="${document.title} as JSON">JSON</a>
    </p>
  </li>`
}

function dayOf(date: Date): string {
  return date.toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
}
