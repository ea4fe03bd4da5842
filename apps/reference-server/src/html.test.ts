import { expect, it } from 'vitest'
import { html, trustedHtml } from './html.js'

it('escapes text and keeps markup', () => {
  const hostile = `<script>alert("x")</script>'&`
  const { text } = html`<p title="${hostile}">${hostile}${html`<b>${1}</b>`}${trustedHtml('<i>ok</i>')}</p>`
  expect(text).not.toContain('<script>')
  expect(text).not.toContain('"x"')
  expect(text).toContain('<b>1</b><i>ok</i>')
})

it('joins lists and leaves out what is absent', () => {
  const items = [1, 2].map((number) => html`<b>${number}</b>`)
  expect(html`<p>${items}${undefined}</p>`.text).toBe('<p><b>1</b><b>2</b></p>')
})
