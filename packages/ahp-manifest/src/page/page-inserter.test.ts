import fc from 'fast-check'
import { parse, serialize } from 'parse5'
import { describe, expect, it } from 'vitest'
import { changeStream } from './body-change.js'
import { PageInserter, type PageAdditions } from './page-inserter.js'

const HEAD = ['<link rel="describedby" href="/llms.txt">', '<meta name="auth" content="/auth.md">']
const NOTICE = '<section class="ahp-notice" aria-label="AI Agent Notice">n</section>'

describe('PageInserter', () => {
  it.each([
    ['before </body>', '<!doctype html><body><p>x</p>|</body></html>'],
    ['before </BODY >', '<HTML><BODY>x|</BODY ></HTML>'],
    ['at the end of a page without </body>', '<!DOCTYPE html><p>x|'],
    ['at the end of a page that ends with </body>', '<html><body>x|</body>'],
    ['behind a script that writes </body>', '<html><script>var s = "</body>"</script>x|</body>'],
    ['behind a script in a comment', '<html><script><!-- <script> "</script></body>" --></script>|</body>'],
    ['behind a script with an empty comment', '<html><script><!--> <script></script>|</body>'],
    ['behind a comment', '<html><!-- </body> -->x|</body>'],
    ['behind an empty comment', '<html><!--->x|</body>'],
    ['behind a comment that ends oddly', '<html><!-- </body> --!>x|</body>'],
    ['behind a title', '<html><title></body></title>x|</body>'],
    ['behind a text area', '<html><textarea></body></textarea>|</body>'],
    ['behind a style', '<html><style>/* </body> */</style>|</body>'],
    ['behind an inner frame', '<html><iframe></body></iframe>|</body>'],
    ['behind a quoted attribute', '<html><p title="</body>">x|</body>'],
    ['behind a single-quoted attribute', "<html><iframe srcdoc = '</body>'></iframe>|</body>"],
    ['behind an apostrophe in an unquoted value', "<html><p title=it's>x|</body>"],
    ['behind a quote in a name', '<html><p a"b>x|</body>'],
    ['behind an equals sign that begins a name', '<html><p =">x|</body>'],
    ['behind a slash and an equals sign', '<html><p a/=">x|</body>'],
    ['behind a lone less-than sign', '<html>1 < 2 <3 <|</body>'],
    ['before the first </body>', '<html>x|</body></body>'],
    ['not in an element with a longer name', '<html><bodyguard></bodyguard>x|</body>'],
    ['behind bogus comments', '<html><?php "</body" ?></ x="</body">x|</body>'],
  ])('adds the notice %s', async (_, marked) => {
    const page = marked.replace('|', '')
    expect(await inserted(page)).toBe(marked.replace('|', NOTICE))
  })

  it.each([
    ['a fragment', '<div>x</div>'],
    ['text', 'no tags at all'],
    ['nothing', ''],
    ['a page that has a notice', `<html><body>x${NOTICE}</body>`],
    ['a page with another notice', '<html><div aria-label="ai agent notice">x</div></body>'],
    ['a page that ends in a script', '<html><script>var s = "</body>'],
    ['a page that ends in a comment', '<html><!-- </body>'],
    ['a page that ends in a tag', '<html><p title="</body>'],
    ['a page of plain text', '<html><plaintext></body>'],
    ['UTF-16', '\xff\xfe<\0h\0t\0m\0l\0>\0</body>'],
  ])('leaves %s as it is', async (_, page) => {
    expect(await inserted(page)).toBe(page)
  })

  it('adds it although the page speaks of notices', async () => {
    const page = '<html><p>Use class ahp-notice and the label AI Agent Notice.</p></body>'
    expect(await inserted(page)).toBe(page.replace('</body>', `${NOTICE}</body>`))
  })

  it.each([
    ['before </head>', '<!doctype html><head><meta charset=utf-8><title>x</title>|</head><body>'],
    ['before <body>', '<html><title>x</title>\n|<body class=a>'],
    ['before the first element of a body without tags', '<!doctype html><link rel=icon href=/i>|<p>x'],
    ['before text', '<!doctype html><meta name=a>\n |text'],
    ['before a lone bracket', '<html><head> |< x'],
    ['before </html>', '<html><head><title>x</title>|</html>'],
    ['behind </p>, which is nothing in a head', '<html><head></p><title></title>|</head>'],
    ['behind a template', '<html><head><template><div></head>x</template>|</head>'],
    ['behind templates in one another', '<html><template><template></template><p></template>|<p>'],
    ['behind noscript', '<html><head><noscript><p></head></noscript>|</head>'],
    ['behind a script and a comment', '<html><head><script>"</head>"</script><!-- </head> -->|</head>'],
    ['behind a byte order mark', '\xef\xbb\xbf<!doctype html>|<body>'],
    ['at the end of a page that is all head', '<html><head><title>x</title>|'],
    ['with the notice where the body comes too late', '<p>x<html>y|</body>'],
  ])('adds to the head %s', async (_, marked) => {
    const page = marked.replace('|', '')
    expect(await inserted(page, undefined, { head: HEAD })).toBe(marked.replace('|', HEAD.join('\n')))
    expect(await inserted(page, [1], { head: HEAD })).toBe(marked.replace('|', HEAD.join('\n')))
  })

  it.each(['<div>x</div>', 'text', '', '\xff\xfe<\0h\0', '<html', 'x'.repeat(2)])(
    'leaves %j without a head',
    async (page) => {
      expect(await inserted(page, undefined, { head: HEAD })).toBe(page)
    },
  )

  it('adds no element that stands in the head already', async () => {
    const [first = '', second = ''] = HEAD
    expect(await inserted(`<html><head>${second}</head>`, undefined, { head: HEAD })).toBe(
      `<html><head>${second}${first}</head>`,
    )
    const whole = `<html><head>${HEAD.join('')}</head>`
    expect(await inserted(whole, undefined, { head: HEAD })).toBe(whole)
  })

  it('adds to head and body at once, in the order of the page', async () => {
    const page = '<html><head></head><body></body></html>'
    const additions = { head: ['<meta name="a" content="b">'], notice: NOTICE }
    expect(await inserted(page, undefined, additions)).toBe(
      `<html><head><meta name="a" content="b"></head><body>${NOTICE}</body></html>`,
    )
  })

  it('gives the same page however it is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        pages(),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        async (page, sizes) => {
          const additions = { head: HEAD, notice: NOTICE }
          expect(await inserted(page, sizes, additions)).toBe(await inserted(page, undefined, additions))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('changes nothing for a parser but the notice itself', async () => {
    await fc.assert(
      fc.asyncProperty(pages(), async (page) => {
        const changed = await inserted(page)
        expect([page.length, page.length + NOTICE.length]).toContain(changed.length)
        expect(serialize(parse(changed)).replace(NOTICE, '')).toBe(serialize(parse(page)))
      }),
      { numRuns: 2000 },
    )
  })

  it('puts elements into the head that a parser makes, and changes nothing else', async () => {
    const head = HEAD.join('\n')
    await fc.assert(
      fc.asyncProperty(pagesWithHead(), async (page) => {
        const changed = await inserted(page, undefined, { head: HEAD })
        if (changed === page) return
        const parsed = serialize(parse(changed))
        expect(parsed.replace(head, '')).toBe(serialize(parse(page)))
        if (!page.includes('<template'))
          expect(parsed.indexOf(head)).toBeLessThan(parsed.lastIndexOf('</head>'))
      }),
      { numRuns: 3000 },
    )
  })

  it('keeps back no more than the start of a tag while a page streams', async () => {
    const stream = changeStream(new PageInserter({ notice: NOTICE }))
    const writer = stream.writable.getWriter()
    const reader = stream.readable.getReader()
    const sent = new TextEncoder().encode(`<html><body>${'x'.repeat(1000)}<img src="${'y'.repeat(100_000)}`)
    const writing = writer.write(sent)
    let received = 0
    while (received < sent.length - 16) received += (await reader.read()).value?.length ?? 0
    await writing
    expect(received).toBeLessThanOrEqual(sent.length)
    await reader.cancel()
  })
})

/** Heads with and without their tags, and what ends them. */
function pagesWithHead(): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...HEAD_PIECES, ...PIECES), { maxLength: 10 })
    .map((pieces) => `<!doctype html>${pieces.join('')}`)
}

/** Text that is full of what a scanner can get wrong, without elements that a section closes or that are opened again in it (p, b, a). */
function pages(): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...PIECES) },
    { weight: 1, arbitrary: fc.stringMatching(/^[<>/!\-="' x-z]{0,6}$/) },
  )
  return fc
    .array(piece, { maxLength: 14 })
    .map((pieces) => `<!doctype html><html><body>${pieces.join('')}</body></html>`)
}

const HEAD_PIECES = [
  '<html>', '<head>', '</head>', '<body>', '<meta charset=utf-8>', '<link rel=x href=y>', '<base href=/>', '<noscript>', '</noscript>',
  '<template>', '</template>', '\n', '</p>', '</br>', '<br>', '<title>t</title>', '<script>1</script>', '</html>', '<basefont>', '</title>',
] // prettier-ignore

const PIECES = [
  '<script>', '</script>', '</script ', '<!--', '-->', '--!>', '<!-->', '<!--->', '<title>', '</title>', '<style>',
  '</style>', '<textarea>', '</textarea>', '</body', '</body>', '<div>', '</div>', '<div title="', '<div title=\'', '<div title=',
  '"', "'", '>', '<', '</', '/>', '=', ' ', '<br/>', '<?', '<!x', 'text', '<div class=a', '<iframe>', '</iframe>', '&lt;',
] // prettier-ignore

async function inserted(
  page: string,
  sizes: readonly number[] = [page.length || 1],
  additions: PageAdditions = { notice: NOTICE },
): Promise<string> {
  const bytes = Uint8Array.from(page, (character) => character.charCodeAt(0))
  const chunks = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1
        controller.enqueue(bytes.subarray(at, at + size))
        at += size
      }
      controller.close()
    },
  })
  const changed = chunks.pipeThrough(changeStream(new PageInserter(additions)))
  const result = new Uint8Array(await new Response(changed).arrayBuffer())
  return Array.from(result, (byte) => String.fromCharCode(byte)).join('')
}
