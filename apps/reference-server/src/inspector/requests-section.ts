import { html, type Html } from '../html.js'
import { foreignText } from './foreign-text.js'
import type { RecordedRequest } from './recorded-request.js'
import { bytesOf } from './section.js'

const MAX_SHOWN = 60

/** What was asked, on one line of time. */
export function requestsSection(
  requests: readonly RecordedRequest[],
  download: Html | undefined,
): Html | undefined {
  const ofAgent = requests.filter(({ stage }) => stage === 'find' || stage === 'read' || stage === 'ask')
  const shown = ofAgent.slice(0, MAX_SHOWN)
  if (shown.length === 0) return undefined
  const end = Math.max(...shown.map(({ startMs, durationMs }) => startMs + durationMs), 1)
  const bytes = ofAgent.reduce((sum, request) => sum + (request.bytes ?? 0), 0)
  const more = requests.length - shown.length
  return html`<section class="report" aria-labelledby="requests">
    <div class="report-head">
      <h2 id="requests">What that took</h2>
      ${download}
    </div>
    <p class="verdict">${ofAgent.length} requests, ${bytesOf(bytes)}, ${(end / 1000).toFixed(2)} s.</p>
    <details id="waterfall" class="more" open>
      <summary>Request by request</summary>
      <table class="waterfall">
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">Result</th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map((request) => row(request, end))}
        </tbody>
      </table>
      ${more > 0 ? html`<p class="muted">${more} more are in the JSON${requests.length > ofAgent.length ? ', those of the suites among them' : ''}.</p>` : undefined}
    </details>
  </section>`
}

function row(
  { stage, method, url, status, failure, bytes, startMs, durationMs }: RecordedRequest,
  end: number,
): Html {
  const result = status === undefined ? (failure ?? '') : String(status)
  const isBad = status === undefined || status >= 500
  return html`<tr>
    <td><code>${method === 'GET' ? '' : `${method} `}${foreignText(targetOf(url), 70)}</code></td>
    <td ${isBad ? BAD : undefined}>
      ${result}${bytes === undefined ? undefined : html` <span class="muted">${bytesOf(bytes)}</span>`}
    </td>
    <td>
      <svg
        class="bar ${stage}"
        viewBox="0 0 1000 10"
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        <rect
          x="${Math.round((startMs / end) * 1000)}"
          width="${Math.max(4, Math.round((durationMs / end) * 1000))}"
          height="10"
        />
      </svg>
      <span class="muted">${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms</span>
    </td>
  </tr>`
}

/** Without the origin; one that was too long to be kept whole may be no URL any more. */
function targetOf(url: string): string {
  if (!URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return pathname + search
}

const BAD = html`class="bad-text"`
