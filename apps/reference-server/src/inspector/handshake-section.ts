import { html, type Html } from '../html.js'
import { foreignText } from './foreign-text.js'
import type { Step } from './inspection.js'
import { chip, shortUrl, stepSection } from './section.js'
import type { Handshake } from './shake-hands.js'

const MAX_CAPABILITIES = 20
const MAX_WARNINGS = 10

const FOUND_BY: Readonly<Record<Handshake['foundBy'], string>> = {
  'well-known': 'at the well-known address',
  link: 'by a link',
  notice: 'by the notice in the page',
  accept: 'by asking for its media type',
}

/** Whom an agent can ask over AHP, and on which terms. */
export function handshakeSection(step: Step<Handshake>, download: Html | undefined): Html | undefined {
  return stepSection(step, {
    ...{ id: 'ask', title: 'Whom it can ask', download, show },
    failed: 'Nobody can be asked here over AHP.',
  })
}

function show({ manifest, manifestUrl, foundBy, warnings }: Handshake): Html {
  const { name, description, modes, capabilities, content_signals: signals, integrations } = manifest
  const { requests } = manifest.rate_limits?.unauthenticated ?? {}
  return html`<p class="verdict">
      ${foreignText(name, 80) || 'A concierge'} answers in ${modes.join(', ')} with ${capabilities.length}
      ${capabilities.length === 1 ? 'capability' : 'capabilities'}.
    </p>
    <p class="muted">${foreignText(description, 300)}</p>
    <p class="muted">
      The manifest, AHP ${foreignText(manifest.ahp, 12)}, was found ${FOUND_BY[foundBy]}:
      <span class="url">${shortUrl(manifestUrl)}</span>.
      ${requests === undefined ? undefined : `Strangers may ask ${foreignText(requests, 40)}.`} Use as input
      of a model: ${allowed(signals.ai_input)}; to train one: ${allowed(signals.ai_train)}; for search:
      ${allowed(signals.search)}.
      ${Object.keys(integrations).length === 0 ? undefined : `Also by ${foreignText(Object.keys(integrations).join(', '), 80)}.`}
    </p>
    <ul class="rows capabilities">
      ${capabilities.slice(0, MAX_CAPABILITIES).map(
        ({ name, description, mode, action_type: action, auth_required: closed }) =>
          html`<li>
            <strong>${foreignText(name, 64)}</strong> ${chip(mode, 'plain')}
            ${action === undefined ? undefined : chip(action, action === 'query' ? 'plain' : 'fair')}
            ${closed === true ? chip('needs a credential', 'fair') : undefined}
            <p>${foreignText(description, 240)}</p>
          </li>`,
      )}
    </ul>
    ${
      warnings.length === 0
        ? undefined
        : html`<details id="ask-warnings" class="more">
            <summary>${warnings.length} to mind</summary>
            <ul class="plain-list">
              ${warnings.slice(0, MAX_WARNINGS).map(({ code, message }) => html`<li><code>${code}</code> ${foreignText(message, 240)}</li>`)}
            </ul>
          </details>`
    }`
}

function allowed(signal: unknown): string {
  return signal === undefined ? 'not stated' : signal === true ? 'yes' : 'no'
}
