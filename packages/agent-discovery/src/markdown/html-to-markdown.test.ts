import { parse } from 'parse5'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { htmlToMarkdown } from './html-to-markdown.js'

const convert = (html: string): string => htmlToMarkdown(html, { url: 'https://example.com/a/' })

describe('htmlToMarkdown', () => {
  it.each([
    ['<title>T</title><h1>Hi <b>there</b></h1><p>One\n two<br>three', '# Hi **there**\n\nOne two\\\nthree\n'],
    [
      '<p>a <a href="b?c=1&amp;d">b</a> <a href="javascript:x">c</a> <a href="#f">d</a>',
      'a [b](<https://example.com/a/b?c=1&d>) c d\n',
    ],
    ['<ul><li>a<li>b<ol><li>c</li><li><p>d</ol></ul>x', '- a\n\n- b\n\n  1. c\n\n  2. d\n\nx\n'],
    ['<blockquote><p>q<ul><li>i</ul></blockquote>', '> q\n\n> - i\n'],
    ['<pre><code>a &lt; b\n  ``` c</code></pre>', '````\na < b\n  ``` c\n````\n'],
    ['use <code>a `b`</code> and <code>x</code>', 'use `` a `b` `` and `x`\n'],
    ['<table><tr><th>a<th>b</tr><tr><td>1<td>2|<br>3</table>', '| a | b |\n| --- | --- |\n| 1 | 2\\| 3 |\n'],
    ['<img src=i.png alt="an *i*"><img src=i.png>', '![an \\*i\\*](<https://example.com/a/i.png>)\n'],
    ['<hr><script>x</script><style>y</style><svg><text>z</text></svg><template>t</template>k', '---\n\nk\n'],
    [
      '<p># no heading<p>1. no list<p>- no<p>&lt;script&gt; &amp;lt; [x](y)',
      '\\# no heading\n\n1\\. no list\n\n\\- no\n\n\\<script\\> \\&lt; \\[x\\](y)\n',
    ],
    ['<a href=/x><h2>T</h2></a>', '## T\n'],
    ['', ''],
  ])('converts %s', (html, expected) => {
    expect(convert(html)).toBe(expected)
  })

  it('writes no HTML, whatever comes in', () => {
    const piece = fc.constantFrom(
      '<p>',
      '</p>',
      '<b>',
      '</i>',
      '<a href=/x>',
      '</a>',
      '<li>',
      '<ul>',
      '</ul>',
      '<td>',
      '<tr>',
      '<table>',
      '<pre>',
      '</pre>',
      '<code>',
      '&lt;script&gt;',
      '<',
      'x<y',
      '`',
      '*',
      '\n',
      '<head>',
      '<body>',
      'é\ud800',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const markdown = convert(pieces.join(''))
        const outsideCode = markdown
          .replace(/\\[^]/g, '')
          .replace(/(`{3,})\n[^]*?\n\s*[> ]*\1/g, '')
          .replace(/(?<![\\`])(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '')
        expect(outsideCode).not.toMatch(/<(?!https:)/)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    '<div>',
    '<b>',
    '<ul><li>',
    '<blockquote>',
    '<table><tr><td>',
    '<b><i><u><a href=/x>x</b>',
    '<p>a</p>',
    '<a href=/x>',
    '<pre>',
  ])('keeps its output in proportion to %s, however often it comes', (piece) => {
    const times = 20_000
    expect(convert(`${piece.repeat(times)}x`).length).toBeLessThan(times * 150)
  })

  it('loses no text of an ordinary page', () => {
    const html =
      '<body><main><h1>Title</h1><p>Some <em>text</em>, and <strong>more</strong>.</p><ol><li>one</li><li>two</li></ol></main>'
    const words = (text: string): string[] => text.match(/\w+/g) ?? []
    const plain = JSON.stringify(parse(html), (key, value: unknown) =>
      key === 'parentNode' ? undefined : value,
    )
    for (const word of ['Title', 'Some', 'text', 'more', 'one', 'two']) {
      expect(plain).toContain(word)
      expect(words(convert(html))).toContain(word)
    }
  })
})
