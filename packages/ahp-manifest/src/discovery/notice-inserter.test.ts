import fc from 'fast-check'
import { parse, serialize } from 'parse5'
import { describe, expect, it } from 'vitest'
import { noticeInserter } from './notice-inserter.js'

const NOTICE = '<section class="ahp-notice" aria-label="AI Agent Notice">n</section>'

describe('noticeInserter', () => {
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

  it('gives the same page however it is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        pages(),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        async (page, sizes) => {
          expect(await inserted(page, sizes)).toBe(await inserted(page))
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

  it('keeps back no more than the start of a tag while a page streams', async () => {
    const stream = noticeInserter(NOTICE)
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

const PIECES = [
  '<script>', '</script>', '</script ', '<!--', '-->', '--!>', '<!-->', '<!--->', '<title>', '</title>', '<style>',
  '</style>', '<textarea>', '</textarea>', '</body', '</body>', '<div>', '</div>', '<div title="', '<div title=\'', '<div title=',
  '"', "'", '>', '<', '</', '/>', '=', ' ', '<br/>', '<?', '<!x', 'text', '<div class=a', '<iframe>', '</iframe>', '&lt;',
] // prettier-ignore

async function inserted(page: string, sizes: readonly number[] = [page.length || 1]): Promise<string> {
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
  const result = new Uint8Array(await new Response(chunks.pipeThrough(noticeInserter(NOTICE))).arrayBuffer())
  return Array.from(result, (byte) => String.fromCharCode(byte)).join('')
}
