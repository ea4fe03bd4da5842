import type { EntityV1 } from '@doorplate/aadp-schemas'
import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'
import type { Manifest } from '@doorplate/ahp-manifest'
import type { ConverseResponse } from '@doorplate/ahp-manifest/messages'
import { jsonText } from './json-text.js'
import type { DocumentType } from '../document-sources.js'
import type { Exchange } from '../exchange.js'
import { html, type Html } from '../html.js'
import type { LibraryDocument } from '../library.js'
import {
  ASK,
  CATALOGUE,
  entityIdOf,
  entityOf,
  HOME_SCRIPT_PATH,
  INSPECT,
  MANIFEST,
  pageOf,
} from '../routes.js'
import { DOOR_PICTURE } from './door-picture.js'
import type { HomeExchanges } from './home-exchanges.js'
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

export function homePage(documents: readonly LibraryDocument[], exchanges: HomeExchanges): string {
  return layout({
    title: 'Doorplate reference server',
    description: 'The documentation of Doorplate for people and for agents: to find, to read and to ask.',
    alternate: MANIFEST,
    script: HOME_SCRIPT_PATH,
    body: html`
      <div class="hero">
        <div>
          <h1>Doorplate</h1>
          <p class="tagline">A doorplate says who lives here and how to reach them.</p>
          <p class="lead">
            This server publishes the documentation of Doorplate, as pages for people and as documents for AI
            agents, from the same files. A concierge answers both.
          </p>
          <p class="actions">
            <a class="button" href="${ASK}">Ask it something</a>
            <a class="button quiet" href="${INSPECT}">Inspect a site</a>
          </p>
        </div>
        ${DOOR_PICTURE}
      </div>
      ${story(exchanges)} ${shelves(documents)}
    `,
  })
}

/** What an agent does here, done by this server when the page was made. */
function story({ find, read, ask }: HomeExchanges): Html {
  return html`<section class="story" aria-labelledby="how-agents-come">
    <h2 id="how-agents-come">What an agent does here</h2>
    <p class="muted">Three requests, sent when this page was made. Open one to see both sides of it.</p>
    <ol class="steps">
      <li>
        <div>
          <h3>Find</h3>
          <p>
            Every page and every response leads to two small documents, which say what can be read and what
            can be asked.
          </p>
        </div>
        <div>
          <p class="gist">${gistOfManifest(find)}</p>
          ${wire(find, 'find')}
        </div>
      </li>
      <li>
        <div>
          <h3>Read</h3>
          <p>
            From there lists lead to <a href="${CATALOGUE}">every document</a>. Each carries the checksum of
            its data, so a copy proves itself.
          </p>
        </div>
        <div>
          <p class="gist">${gistOfEntity(read)}</p>
          ${wire(read, 'read')}
        </div>
      </li>
      <li>
        <div>
          <h3>Ask</h3>
          <p>
            What is not written down, the concierge is <a href="${ASK}">asked for</a>: it answers with
            sources, asks back, acts, or gets a person.
          </p>
        </div>
        <div>
          <p class="gist">${gistOfAnswer(ask)}</p>
          ${wire(ask, 'ask')}
        </div>
      </li>
    </ol>
  </section>`
}

function gistOfManifest({ status, body }: Exchange): Html {
  if (status !== 200) return refused(status)
  const { name, modes, capabilities = [] } = JSON.parse(body) as Manifest
  return html`<strong>${name}</strong> can be asked for ${capabilities.length} things, in ${modes.join(', ')}.`
}

function gistOfEntity({ status, body }: Exchange): Html {
  if (status !== 200) return refused(status)
  const { id, checksum, data } = JSON.parse(body) as EntityV1
  const isRight = checksum === checksumOf(data)
  return html`<strong>${id}</strong>
    <span class="chip ${isRight ? 'good' : 'bad'}">checksum ${isRight ? 'verified' : 'wrong'}</span>`
}

function gistOfAnswer({ status, body, requestBody = '{}' }: Exchange): Html {
  if (status !== 200) return refused(status)
  const reply = JSON.parse(body) as ConverseResponse
  const { query } = JSON.parse(requestBody) as { readonly query: string }
  const answer = reply.status === 'success' ? firstSentence(reply.response.answer) : reply.status
  return html`<q>${query}</q><br /><strong>${answer}</strong>`
}

function firstSentence(markdown: string): string {
  const [sentence = ''] = /^.*?(?:[.!?](?=\s)|$)/m.exec(markdown) ?? []
  return sentence.replace(/[*`]/g, '').slice(0, 200)
}

function refused(status: number): Html {
  return html`It was refused just now, with status ${status}.`
}

/** Both sides of an exchange, closed. */
function wire(
  { method, path, requestHeaders, requestBody, status, headers, body, bytes, durationMs }: Exchange,
  id: string,
): Html {
  const fields = (list: readonly (readonly [string, string])[]): string =>
    list.map(([name, value]) => `${name}: ${value}\n`).join('')
  const request = `${method} ${path}\n${fields(Object.entries(requestHeaders))}${requestBody === undefined ? '' : `\n${jsonText(JSON.parse(requestBody))}`}`
  return html`<details class="wire" id="wire-${id}">
    <summary>
      <code>${method} ${wrappable(path)}</code>
      <span class="facts"
        ><span class="chip ${status < 400 ? 'good' : 'bad'}">${status}</span> ${(bytes / 1000).toFixed(1)} kB
        <span>${durationMs.toFixed(1)} ms</span></span
      >
    </summary>
    <pre tabindex="0" role="region" aria-label="Request to ${id}"><code>${request}</code></pre>
    <pre tabindex="0" role="region" aria-label="Answer to ${id}"><code data-answer>HTTP ${status}
${fields(headers)}
${jsonText(JSON.parse(body), { maxLength: 2400 })}</code></pre>
    <p class="again">
      <button
        type="button"
        class="quiet"
        hidden
        data-again
        data-method="${method}"
        data-path="${path}"
        ${requestBody === undefined ? undefined : html`data-body="${requestBody}"`}
      >
        Send it from here
      </button>
      <span class="muted" role="status" data-note></span>
    </p>
  </details>`
}

/** A path that a narrow column breaks at its slashes. */
function wrappable(path: string): Html {
  const [first = '', ...rest] = path.split(/(?<=\/)(?=[^/])/)
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
            ${documents.filter((document) => !isPart(document, documents)).map((document) => listed(document, documents))}
          </ul>
        </section>`,
    )}
  </div>`
}

function overviewFirst(documents: readonly LibraryDocument[]): readonly LibraryDocument[] {
  const isOverview = ({ slug }: LibraryDocument): boolean => slug === 'overview'
  return [...documents.filter(isOverview), ...documents.filter((document) => !isOverview(document))]
}

/** Listed under another, which is there. */
function isPart({ partOf }: LibraryDocument, all: readonly LibraryDocument[]): boolean {
  return partOf !== undefined && all.some(({ slug }) => slug === partOf)
}

/** With what tells more of it. */
function listed(document: LibraryDocument, all: readonly LibraryDocument[]): Html {
  const parts = all.filter(({ partOf }) => partOf === document.slug)
  return html`<li>
    <h3><a href="${pageOf(document)}">${document.title}</a></h3>
    <p>${document.summary}</p>
    <p class="facts">
      <code>${entityIdOf(document)}</code>
      <a href="${entityOf(document)}" aria-label="${document.title} as JSON">JSON</a>
    </p>
    ${
      parts.length === 0
        ? undefined
        : html`<ul class="parts">
            ${parts.map((part) => html`<li><a href="${pageOf(part)}">${part.title}</a></li>`)}
          </ul>`
    }
  </li>`
}
