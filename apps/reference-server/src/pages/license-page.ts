import { html } from '../html.js'
import { layout } from './layout.js'

export function licensePage(license: string): string {
  return layout({
    title: 'License · Doorplate',
    description: 'The terms under which the programs and texts of Doorplate may be used.',
    body: html`<div class="document">
      <article>
        <h1>License</h1>
        <p>
          The programs of Doorplate, and the texts that this server publishes, may be used under these terms.
        </p>
        <pre class="license">${license}</pre>
      </article>
    </div>`,
  })
}
