import type { DiscoveryResult } from '@doorplate/agent-discovery'
import { html, type Html } from '../html.js'
import { foreignText } from './foreign-text.js'
import type { Step } from './inspection.js'
import { bytesOf, chip, reasonFor, shortUrl, stepSection, type Tone } from './section.js'

type Resource = DiscoveryResult['resources'][number]

const MAX_SHOWN = 24

const TONES: Readonly<Record<Resource['state'], Tone>> = {
  verified: 'good',
  reachable: 'plain',
  advertised: 'plain',
  invalid: 'bad',
  'soft-404': 'bad',
  'auth-required': 'fair',
  blocked: 'fair',
  absent: 'plain',
  inconclusive: 'fair',
  error: 'bad',
}

/** What an agent finds, with states and evidence. */
export function discoverySection(step: Step<DiscoveryResult>, download: Html | undefined): Html | undefined {
  return stepSection(step, {
    ...{ id: 'find', title: 'What an agent finds', download, show },
    failed: 'An agent finds nothing here.',
  })
}

function show({ page, resources, rejected, signals, notices }: DiscoveryResult): Html {
  const verified = resources.filter((resource) => resource.verified).length
  const { contentSignal } = signals
  const isWhole = page.state !== 'error' && rejected.every(({ state }) => !UNKNOWN.has(state))
  return html`<p class="verdict">${verdict(resources.length, { verified, isWhole })}</p>
    <p class="muted">
      The page: ${page.state}${page.status === undefined ? '' : `, status ${String(page.status)}`}.
      ${page.message === undefined ? undefined : reasonFor({ code: page.reasons[0] ?? '', message: page.message })}
      ${notices.length === 0 ? undefined : 'It has a notice for agents.'}
      ${contentSignal === undefined ? undefined : `Content signals: ${foreignText(JSON.stringify(contentSignal).replace(/[{}"]/g, ' '))}.`}
    </p>
    ${
      resources.length === 0
        ? undefined
        : html`<ul class="rows">
            ${resources.slice(0, MAX_SHOWN).map(found)}
          </ul>`
    }
    ${rejected.length === 0 ? undefined : elsewhere(rejected)}`
}

/** States of what may be there all the same. */
const UNKNOWN: ReadonlySet<Resource['state']> = new Set(['auth-required', 'blocked', 'inconclusive', 'error'])

function verdict(
  found: number,
  { verified, isWhole }: { readonly verified: number; readonly isWhole: boolean },
): string {
  if (found === 0 && isWhole) return 'The site offers nothing to agents.'
  if (found === 0) return 'Nothing was found, as far as the site could be looked at.'
  return `${String(verified)} of ${String(found)} ${found === 1 ? 'offer is' : 'offers are'} verified by content.`
}

function found(resource: Resource, place: number): Html {
  const { state, kind, url, reasons, warnings, sources, evidence, title } = resource
  return html`<li>
    <details id="found-${place}">
      <summary>
        ${chip(state, TONES[state])} <strong>${kind}</strong> <span class="url">${shortUrl(url)}</span>
      </summary>
      <dl class="facts-list">
        ${fact('URL', url)} ${fact('Title', foreignText(title))}
        ${fact('Named by', sources.map(({ name }) => name).join(', '))}
        ${fact('Why no better', reasons.join(', '))} ${fact('To mind', warnings.join(', '))}
        ${evidence === undefined ? undefined : fact('Evidence', evidenceText(evidence))}
        ${fact('SHA-256', evidence?.sha256)}
      </dl>
    </details>
  </li>`
}

function evidenceText({
  method,
  status,
  mediaType,
  bytes,
  signature,
}: NonNullable<Resource['evidence']>): string {
  const marks = signature.length === 0 ? '' : `; known by ${signature.join(', ')}`
  return foreignText(
    `${method}, status ${String(status)}, ${mediaType ?? 'no media type'}, ${bytesOf(bytes)}${marks}`,
    300,
  )
}

function elsewhere(rejected: readonly Resource[]): Html {
  return html`<details id="rejected" class="more">
    <summary>${rejected.length} usual addresses where nothing is that counts</summary>
    <ul class="plain-list">
      ${rejected
        .slice(0, MAX_SHOWN)
        .map(
          ({ url, state, reasons }) =>
            html`<li>
              <code>${shortUrl(url)}</code> ${state}${reasons.length === 0 ? '' : `: ${reasons.join(', ')}`}
            </li>`,
        )}
    </ul>
  </details>`
}

function fact(name: string, value: string | undefined): Html | undefined {
  if (value === undefined || value === '') return undefined
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`
}
