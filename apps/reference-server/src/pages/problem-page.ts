import { html, type Html } from '../html.js'
import { HOME } from '../routes.js'
import { layout } from './layout.js'

/** What a person sees instead of a page: nothing of the request is repeated in it. */
export function problemPage(title: string, explanation: Html | string): string {
  return layout({
    title: `${title} · Doorplate`,
    description: title,
    body: html`<div class="document">
      <article>
        <h1>${title}</h1>
        <p>${explanation}</p>
        <p><a href="${HOME}">Go to the list of documents</a></p>
      </article>
    </div>`,
  })
}
