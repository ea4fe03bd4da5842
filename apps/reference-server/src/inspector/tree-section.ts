import { html, type Html } from '../html.js'
import { foreignText } from './foreign-text.js'
import type { Step } from './inspection.js'
import type { ReadTree, Sample, TypeBranch } from './read-tree.js'
import { chip, reasonFor, shortUrl, stepSection } from './section.js'

/** What can be read over AADP, as a tree. */
export function treeSection(step: Step<ReadTree>, download: Html | undefined): Html | undefined {
  return stepSection(step, {
    ...{ id: 'read', title: 'What it can read', download, show },
    failed: 'Nothing can be read here over AADP 1.0.',
  })
}

function show({ manifest, types, omittedTypes }: ReadTree): Html {
  const { application, discovery } = manifest
  return html`<p class="verdict">
      ${foreignText(application.name, 80)} publishes ${types.length + omittedTypes}
      ${types.length === 1 ? 'type' : 'types'} of documents.
    </p>
    <p class="muted">${foreignText(application.description, 300)}</p>
    <ul class="tree">
      <li>
        <span class="node"
          ><strong>Manifest</strong> <span class="url">AADP ${manifest.aadp_version}</span></span
        >
        <ul>
          <li>
            <span class="node"
              ><strong>Sitemap index</strong>
              <span class="url">${shortUrl(discovery.sitemap_index)}</span></span
            >
            <ul>
              ${types.map(branch)}
              ${omittedTypes === 0 ? undefined : html`<li><span class="node muted">and ${omittedTypes} more types</span></li>`}
            </ul>
          </li>
        </ul>
      </li>
    </ul>`
}

function branch({ type, count, security, failure, items, hasMore, sample }: TypeBranch, place: number): Html {
  return html`<li>
    <details id="type-${place}">
      <summary class="node">
        <strong>${type}</strong>
        ${count === undefined ? undefined : html`<span class="muted">${count}</span>`}
        ${security === undefined ? undefined : chip(`protected by ${foreignText(security, 40)}`, 'fair')}
        ${failure === undefined ? sampleChip(sample) : security === undefined ? chip(failure.code, 'bad') : undefined}
      </summary>
      ${failure === undefined ? undefined : html`<p class="muted">${reasonFor(failure)}</p>`}
      <ul>
        ${items.map(
          ({ id, updated_at: updatedAt, checksum }) =>
            html`<li>
              <span class="node"
                ><code>${id}</code> <span class="muted">${updatedAt} ${checksum.slice(0, 15)}…</span></span
              >
            </li>`,
        )}
        ${hasMore ? html`<li><span class="node muted">and more</span></li>` : undefined}
      </ul>
      ${sample === undefined ? undefined : sampleText(sample)}
    </details>
  </li>`
}

function sampleChip(sample: Sample | undefined): Html | undefined {
  if (sample === undefined) return undefined
  return 'failure' in sample ? chip(sample.failure.code, 'bad') : chip('checksum verified', 'good')
}

function sampleText(sample: Sample): Html {
  if ('failure' in sample)
    return html`<p class="muted"><code>${sample.id}</code> is not usable: ${sample.failure.message}</p>`
  return html`<p class="muted">
    <code>${sample.id}</code>${sample.title === undefined ? '' : ` “${foreignText(sample.title, 100)}”`} was
    read: its data has the checksum that it and the list declare, <code class="long">${sample.checksum}</code>
  </p>`
}
