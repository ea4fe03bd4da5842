import type { CheckResult, ConformanceReport } from '@doorplate/aadp-conformance'
import { html, type Html } from '../html.js'
import { foreignText } from './foreign-text.js'
import type { Step } from './inspection.js'
import { chip, stepSection, type Tone } from './section.js'

const TONES: Readonly<Record<CheckResult['status'], Tone>> = {
  passed: 'good',
  failed: 'bad',
  warning: 'fair',
  skipped: 'plain',
  inconclusive: 'fair',
}
const MAX_NOTABLE = 40

/** What a conformance suite says of the site: what did not pass first. */
export function suiteSection(
  step: Step<ConformanceReport>,
  { protocol, download }: { readonly protocol: 'AADP' | 'AHP'; readonly download: Html | undefined },
): Html | undefined {
  return stepSection(step, {
    ...{ id: `suite-${protocol.toLowerCase()}`, title: `How well it keeps to ${protocol}`, download, show },
    failed: `The ${protocol} suite could not be run.`,
  })
}

function show({ status, summary, checks, fatal, protocol }: ConformanceReport): Html {
  const notable = checks.filter((check) => check.status !== 'passed' && check.status !== 'skipped')
  const rest = checks.filter((check) => check.status === 'passed' || check.status === 'skipped')
  if (fatal !== undefined)
    return html`<p class="verdict">${chip(status, TONES[status])} Nothing could be judged.</p>
      <p class="muted">${foreignText(fatal.message, 300)} <code>${fatal.code}</code></p>`
  return html`<p class="verdict">
      ${chip(status, TONES[status])} ${summary.passed} of ${summary.total} checks passed.
    </p>
    <p class="muted">
      ${summary.failed} failed, ${summary.warnings} warned, ${summary.inconclusive} inconclusive,
      ${summary.skipped} skipped.
    </p>
    <ul class="rows">
      ${notable.slice(0, MAX_NOTABLE).map(
        ({ id, status, title, message }) =>
          html`<li>
            ${chip(status, TONES[status])} <strong>${id}</strong>
            <p>${title} ${foreignText(message, 160)}</p>
          </li>`,
      )}
    </ul>
    ${notable.length > MAX_NOTABLE ? html`<p class="muted">${notable.length - MAX_NOTABLE} more are in the JSON.</p>` : undefined}
    <details id="rest-${protocol}" class="more">
      <summary>${rest.length} checks that passed or were skipped</summary>
      <p class="check-names">
        ${rest.map(({ id, status }) => html`<code ${status === 'skipped' ? SKIPPED : undefined}>${id}</code> `)}
      </p>
    </details>`
}

const SKIPPED = html`class="skipped"`
