import { html, type Html } from '../html.js'

/** Beside what the script keeps up to date: who runs none is not thrown back to the top of the page by a page that reloads itself. */
export const LOOK_AGAIN: Html = html`<noscript>
  <p>Without scripts this page stays as it is: <a href="">look again</a>.</p>
</noscript>`
