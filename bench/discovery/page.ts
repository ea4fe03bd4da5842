/** A page of cards, scripts and images, about so many bytes long, with one link for agents in its head. */
export function pageOf(bytes: number): string {
  const pieces = [
    '<!doctype html><html><head><title>Shop</title><meta charset="utf-8"><link rel="describedby" href="/llms.txt"></head><body>',
  ]
  let length = pieces[0]?.length ?? 0
  for (let index = 0; length < bytes; index++) {
    const piece = card(index) + (index % 40 === 0 ? script(index) : '')
    pieces.push(piece)
    length += piece.length
  }
  pieces.push('</body></html>')
  return pieces.join('')
}

function card(index: number): string {
  return (
    `<div class="card col-md-4" data-id="${index}"><h2 class="title"><a href="/posts/${index}?ref=home&amp;x=1" title="Post ${index}">Post ${index}</a></h2>` +
    '<p>Reviews of novels, essays and plays; what to read first, and what to read after it. Written by people &amp; read by people, ' +
    'and now and then by programs that act for them, which is what this page is made for in the end.</p>' +
    `<img src="/img/${index}.png" alt="" loading="lazy"><ul><li>One</li><li>Two <b>bold</b></li></ul></div>\n`
  )
}

function script(index: number): string {
  return `<script>const items${index} = [${'"abcdefghijklmnop",'.repeat(200)}0]; if (0 < items${index}.length) {}</script>`
}

export function* chunksOf(text: string, length: number): Generator<string> {
  for (let start = 0; start < text.length; start += length) yield text.slice(start, start + length)
}
