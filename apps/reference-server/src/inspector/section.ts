import { html, type Html } from '../html.js'
import type { Failure } from './failure.js'
import { foreignText } from './foreign-text.js'
import type { Step } from './inspection.js'

export interface SectionParts<Result> {
  readonly id: string
  readonly title: string
  /** The link to its JSON. */
  readonly download: Html | undefined
  readonly show: (result: Result) => Html
  /** What it means when this part could not be done. */
  readonly failed: string
}

/** One part of the result under its heading; nothing before its turn. */
export function stepSection<Result>(
  step: Step<Result>,
  { id, title, download, show, failed }: SectionParts<Result>,
): Html | undefined {
  if (step.state === 'waiting') return undefined
  return html`<section class="report" aria-labelledby="${id}">
    <div class="report-head">
      <h2 id="${id}">${title}</h2>
      ${download}
    </div>
    ${
      step.state === 'running'
        ? html`<p class="muted">Looking… ${step.note}</p>`
        : step.state === 'failed'
          ? html`<p class="verdict">${failed}</p>
              <p class="muted">${reasonFor(step.failure)} <code>${step.failure.code}</code></p>`
          : show(step.result)
    }
  </section>`
}

const NOT_PUBLIC = 'It leads to a place that is not public, where this server does not go.'
const TOO_LONG = 'The site took too long.'

/** Where what a package says of it is for programs: the same for people. */
const REASONS = new Map([
  ['blocked_url', NOT_PUBLIC],
  ['blocked-by-policy', NOT_PUBLIC],
  ['timeout', TOO_LONG],
  ['deadline', TOO_LONG],
])

export function reasonFor({ code, message }: Failure): string {
  return REASONS.get(code) ?? foreignText(message, 500)
}

export type Tone = 'good' | 'fair' | 'bad' | 'plain'

export function chip(text: string, tone: Tone): Html {
  return html`<span class="chip ${tone}">${text}</span>`
}

export function bytesOf(bytes: number): string {
  return bytes < 1000 ? `${String(bytes)} B` : `${(bytes / 1000).toFixed(bytes < 100_000 ? 1 : 0)} kB`
}

/** The URL as a page of its own sees it: without the origin where that is known from the context. */
export function shortUrl(url: string, maxLength: number = 90): string {
  const text = URL.canParse(url) ? url : ''
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
}
