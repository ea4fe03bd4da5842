import { html, type Html } from '../html.js'
import {
  AGENT_MANIFEST,
  API_CATALOG,
  ASK,
  CATALOGUE,
  CONVERSE,
  DESK,
  HOME,
  ICON,
  INSPECT,
  LICENSE,
  LLMS_TXT,
  MANIFEST,
  OPENAPI,
  STYLESHEET,
} from '../routes.js'

export interface PageParts {
  readonly title: string
  readonly description: string
  /** The part of the site that the page belongs to. Default: none. */
  readonly section?: Section
  /** Path of the same thing as a JSON document, when there is one. */
  readonly alternate?: string
  /** Path of what runs on the page. Default: nothing does. */
  readonly script?: string
  readonly body: Html
}

const SECTIONS = { Documents: `${HOME}#documents`, Catalogue: CATALOGUE, Ask: ASK, Inspect: INSPECT } as const
export type Section = keyof typeof SECTIONS

/** The frame of every page, as one string of HTML. */
export function layout(parts: PageParts): string {
  const { title, description, section, alternate, script, body } = parts
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="description" content="${description}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="${ICON}" type="image/svg+xml" />
        <link rel="stylesheet" href="${STYLESHEET}" />
        <link rel="ahp-manifest agent-manifest" href="${AGENT_MANIFEST}" type="application/agent+json" />
        ${script === undefined ? undefined : html`<script src="${script}" defer></script>`}
        ${alternate === undefined ? undefined : html`<link rel="alternate" type="application/json" href="${alternate}" />`}
      </head>
      <body>
        <a class="skip" href="#page-content">Skip to the content</a>
        <header class="site-header">
          <a class="brand" href="${HOME}">${BRAND} Doorplate</a>
          <nav aria-label="Site">
            ${Object.entries(SECTIONS).map(
              ([name, href]) =>
                html`<a href="${href}" ${name === section ? CURRENT : undefined}>${name}</a> `,
            )}
          </nav>
        </header>
        <main id="page-content" tabindex="-1">${body}</main>
        ${AGENT_NOTICE} ${FOOTER}
      </body>
    </html>`.text
}

const CURRENT = html`aria-current="page"`

const BRAND = html`<svg class="brand-plate" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
  <rect x="2" y="7" width="28" height="18" rx="3" />
  <path d="M9 14h14M9 18h9" />
</svg>`

const FOOTER = html`<footer class="site-footer">
  <p>Doorplate, an implementation of AADP and AHP. <a href="${LICENSE}">MIT License</a>.</p>
  <nav aria-label="For agents and operators">
    <a href="${AGENT_MANIFEST}">AHP manifest</a> <a href="${MANIFEST}">AADP manifest</a>
    <a href="${API_CATALOG}">API catalogue</a> <a href="${OPENAPI}">OpenAPI</a>
    <a href="${LLMS_TXT}">llms.txt</a> <a href="${DESK}">Operator’s desk</a>
  </nav>
</footer>`

/** For agents that read the page; hidden without inline style, which these pages do not allow. */
const AGENT_NOTICE = html`<section class="ahp-notice" aria-label="AI Agent Notice" hidden>
  <p>
    Note for AI agents: this site can be asked. What it offers is described at
    <a href="${AGENT_MANIFEST}" rel="ahp-manifest agent-manifest"><code>GET ${AGENT_MANIFEST}</code></a
    >; questions are answered at <code>POST ${CONVERSE}</code>.
  </p>
</section>`
