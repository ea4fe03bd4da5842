import { html, type Html } from '../html.js'
import { layout } from '../pages/layout.js'
import { LOOK_AGAIN } from '../pages/look-again.js'
import { INSPECT, inspectionPageOf, LIVE_SCRIPT_PATH } from '../routes.js'
import { discoverySection } from './discovery-section.js'
import { handshakeSection } from './handshake-section.js'
import type { Inspection, Step, Steps } from './inspection.js'
import { requestsSection } from './requests-section.js'
import type { Stage } from './recorded-request.js'
import type { InspectionRefusal } from './refusal.js'
import { suiteSection } from './suite-section.js'
import { treeSection } from './tree-section.js'

const DESCRIPTION =
  'See a site as an AI agent sees it: what it finds, what it can read, whom it can ask, and how well the site keeps to the protocols.'

export interface InspectForm {
  /** What the field holds. */
  readonly url: string
  readonly suites: boolean
  /** Why nothing was inspected. */
  readonly refusal?: InspectionRefusal
}

export function inspectPage({ url, suites, refusal }: InspectForm, { origin }: { origin: string }): string {
  return layout({
    title: 'Inspector · Doorplate',
    description: DESCRIPTION,
    section: 'Inspect',
    body: html`<div class="intro">
        <h1>Inspector</h1>
        <p>Enter a site and see what an AI agent sees of it.</p>
      </div>
      <form class="inspect-form panel" method="post" action="${INSPECT}">
        <label for="url">Address of a site</label>
        ${refusal === undefined ? undefined : refusalNote(refusal)}
        <div class="field-row">
          <input
            id="url"
            name="url"
            type="text"
            inputmode="url"
            autocomplete="url"
            autocapitalize="none"
            spellcheck="false"
            maxlength="2048"
            required
            placeholder="https://books.example"
            value="${url}"
            ${refusal === undefined ? undefined : INVALID}
          />
          <button>Inspect</button>
        </div>
        <label class="check" for="suites">
          <input id="suites" name="suites" type="checkbox" value="yes" ${suites ? CHECKED : undefined} />
          <span>
            Run both conformance suites as well
            <small>Hundreds of requests, some of them questions. For sites that you answer for.</small>
          </span>
        </label>
      </form>
      <form class="inspect-self" method="post" action="${INSPECT}">
        <input type="hidden" name="url" value="${origin}/" />
        <p>No site at hand? <button class="quiet">Look at this one</button></p>
      </form>
      <ul class="three">
        <li>
          <h2>Find</h2>
          <p>
            What the site names and what lies at the usual addresses: each with its state, and the evidence
            for it.
          </p>
        </li>
        <li>
          <h2>Read</h2>
          <p>
            Everything that it publishes over AADP, with the first of each type read and its checksum
            verified.
          </p>
        </li>
        <li>
          <h2>Ask</h2>
          <p>
            The handshake of AHP: who answers there, what can be asked, and on which terms. Nothing is asked.
          </p>
        </li>
      </ul>
      <p class="small-print">
        Only public addresses are asked, within limits of time, bytes and requests. What was seen is kept for
        an hour, for whoever has the address of the result.
      </p>`,
  })
}

const INVALID = html`aria-invalid="true" aria-describedby="refusal" autofocus`
const CHECKED = html`checked`

function refusalNote({ code, message, retryAfterSeconds }: InspectionRefusal): Html {
  return html`<p id="refusal" class="trouble" role="alert">
    ${message} ${retryAfterSeconds === undefined ? undefined : `Try again in ${waitOf(retryAfterSeconds)}.`}
    <code>${code}</code>
  </p>`
}

function waitOf(seconds: number): string {
  return seconds < 90 ? `${String(seconds)} seconds` : `${String(Math.ceil(seconds / 60))} minutes`
}

/** As far as it has come. */
export function inspectionPage(inspection: Inspection): string {
  const { url, place, isOver, steps, requests } = inspection
  const { host } = new URL(url)
  return layout({
    title: `${isOver ? '' : 'Looking… '}${host} · Inspector · Doorplate`,
    description: DESCRIPTION,
    section: 'Inspect',
    ...(isOver ? {} : { script: LIVE_SCRIPT_PATH }),
    body: html`<div class="intro">
        <p class="kicker"><a href="${INSPECT}">Inspector</a></p>
        <h1 class="address">${host}</h1>
        <p id="live-status" role="status">${statusLine(inspection)}</p>
        ${isOver ? undefined : LOOK_AGAIN}
      </div>
      <div id="live" ${isOver ? undefined : LIVE}>
        ${place === undefined ? undefined : TURNS} ${progress(inspection)}
        ${discoverySection(steps.find, download(inspection, 'find'))}
        ${treeSection(steps.read, download(inspection, 'read'))}
        ${handshakeSection(steps.ask, download(inspection, 'ask'))}
        ${requestsSection(requests, download(inspection, 'requests'))}
        ${steps.aadp && suiteSection(steps.aadp, { protocol: 'AADP', download: download(inspection, 'aadp') })}
        ${steps.ahp && suiteSection(steps.ahp, { protocol: 'AHP', download: download(inspection, 'ahp') })}
        <p class="again">
          <a href="${INSPECT}?url=${encodeURIComponent(url)}">Inspect it again, or another site</a>
        </p>
      </div>`,
  })
}

const TURNS = html`<p class="muted">
  A few sites are looked at at a time, one for each person who asks. This page goes on by itself.
</p>`
const LIVE = html`data-live="1000"`

const NAMES: Readonly<Record<Stage, string>> = {
  find: 'Find',
  read: 'Read',
  ask: 'Ask',
  aadp: 'AADP suite',
  ahp: 'AHP suite',
}

function statusLine({ place, isOver, steps, requests, durationMs }: Inspection): string {
  if (place !== undefined) return `Waiting for its turn: number ${String(place)} in line.`
  if (isOver) return `Looked at in ${secondsOf(durationMs)} with ${String(requests.length)} requests.`
  const current = Object.entries(steps).find(([, step]) => (step as Step<unknown>).state === 'running')
  return current === undefined ? 'Beginning…' : `Looking: ${NAMES[current[0] as Stage]}…`
}

function secondsOf(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

function progress({ steps }: Inspection): Html {
  const entries = Object.entries(steps) as [Stage, Step<unknown>][]
  return html`<ol class="progress" aria-label="Parts of the inspection">
    ${entries.map(
      ([name, step]) =>
        html`<li class="is-${step.state === 'done' && isPoor(name, steps) ? 'poor' : step.state}">
          ${NAMES[name]} <span>${step.state === 'running' ? (step.note ?? 'running') : step.state}</span>
        </li>`,
    )}
  </ol>`
}

/** Done, with nothing to be glad of: nothing was found, or the suite did not let the site pass. */
function isPoor(name: Stage, { [name]: step }: Steps): boolean {
  if (step?.state !== 'done') return false
  if ('resources' in step.result) return step.result.resources.length === 0
  return 'checks' in step.result && step.result.status !== 'passed'
}

/** A link to that part as a file; while it is not there, none. */
function download({ id, steps, isOver }: Inspection, part: Stage | 'requests'): Html | undefined {
  const isThere = part === 'requests' ? isOver : steps[part]?.state === 'done'
  if (!isThere) return undefined
  return html`<a class="download" href="${inspectionPageOf(id)}/${part}.json" download>
    JSON<span class="unseen"> of ${part === 'requests' ? 'the requests' : NAMES[part]}</span>
  </a>`
}
