import type { Operator } from '../server/operators/operator.js'
import type { DeskSettings } from './desk-options.js'
import { type Markup, markup, verbatim } from './markup.js'
import { SCRIPT } from './script.js'
import { STYLE } from './style.js'

export interface PageParts {
  /** Of the desk. */
  readonly desk: Pick<DeskSettings, 'title' | 'path' | 'pollMs' | 'home' | 'stylesheetUrl'>
  /** Of the page. */
  readonly title: string
  readonly body: Markup
  readonly operator?: Operator | undefined
  /** Where news of the page are found; absent where there are none. */
  readonly self?: string
}

/** A whole page. */
export function page({ desk, title, body, operator, self }: PageParts): string {
  const { home, stylesheetUrl } = desk
  const live = self !== undefined && markup` data-self="${self}" data-poll="${desk.pollMs}"`
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – ${desk.title}</title>
<style>${verbatim(STYLE)}</style>
${stylesheetUrl !== undefined && markup`<link rel="stylesheet" href="${stylesheetUrl}">`}
</head>
<body${live}>
<a class="skip" href="#main">Skip to the content</a>
<header>${home && markup`<a class="home" href="${home.url}">${home.title}</a>`}<a class="desk" href="${desk.path}">${desk.title}</a>${operator && markup`<span>Signed in as ${operator.name ?? operator.id}</span>`}</header>
<main id="main" tabindex="-1">
${body}
</main>
<script type="module">${verbatim(SCRIPT)}</script>
</body>
</html>
`.html
}

/** In UTC; the script shows it in the reader's zone. */
export function time(ms: number): Markup {
  const iso = new Date(ms).toISOString()
  return markup`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}
