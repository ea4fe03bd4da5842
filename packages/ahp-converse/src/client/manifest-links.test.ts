import { agentNotice, linkHeader } from '@doorplate/ahp-manifest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { manifestLinksInField, manifestLinksInPage } from './manifest-links.js'

describe('a Link field', () => {
  it.each([
    [linkHeader(), ['/.well-known/agent.json']],
    ['</a>; rel="ahp-manifest"; type="application/agent+json"', ['/a']],
    ['</a>;type="application/agent+json" ; REL = agent-manifest', ['/a']],
    ['</a>; rel="describedby AHP-Manifest"', ['/a']],
    [
      '</a>; rel=next, <https://a.test/b>; rel=ahp-manifest, </c>; rel="agent-manifest"',
      ['https://a.test/b', '/c'],
    ],
    ['</a>; crossorigin, </b>; rel=ahp-manifest', ['/b']],
    ['</a>; title="one, <two>; rel=ahp-manifest"; rel=next', []],
    ['</a>; title="a \\" quote, "; rel=ahp-manifest', ['/a']],
    ['</a,b;c>; rel=ahp-manifest', ['/a,b;c']],
    ['</a>; rel=next; rel=ahp-manifest', []],
    ['</a>; rel="not-ahp-manifest"', []],
    ['broken, </b>; rel=ahp-manifest', ['/b']],
    ['</a>; rel=ahp-manifest garbage, </b>; rel=ahp-manifest', ['/a', '/b']],
    ['<>; rel=ahp-manifest', ['']],
    ['<no end; rel=ahp-manifest', []],
    ['', []],
  ])('%s', (field, targets) => {
    expect(manifestLinksInField(field)).toEqual(targets)
  })

  it('never throws, and ends', () => {
    const piece = fc.constantFrom('<', '>', ';', ',', '"', '\\', ' ', 'rel', '=', 'ahp-manifest', '/a')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const target of manifestLinksInField(pieces.join(''))) expect(typeof target).toBe('string')
      }),
    )
  })

  // The transport lets 16 KiB through. Work that grows with the square of the length would not end within the test's time.
  it.each(['<,', ',', '<a>;', '"', '<a>;x="', ' ', '<a>;rel=x,'])(
    'of a megabyte of %j is read in linear time',
    (piece) => {
      expect(manifestLinksInField(`${piece.repeat(1_048_576 / piece.length)}>`)).toEqual([])
    },
  )
})

describe('a page', () => {
  it('has the notice that we publish', () => {
    for (const style of ['hidden', 'visually-hidden'] as const) {
      const html = `<!doctype html><body><h1>Hi</h1>${agentNotice({ style, manifestUrl: '/about/a.json' })}</body>`
      expect(manifestLinksInPage(html).notices[0]).toBe('/about/a.json')
    }
  })

  it.each([
    ['<div aria-label="AI Agent Notice">Manifest: GET /agent.json (AHP/0.1)</div>', ['/agent.json']],
    ['<section class="x ahp-notice y"><p>See <a href=m.json>this</a></section>', ['m.json']],
    ['<section class=ahp-notice>https://a.test/x.json.</section>', ['https://a.test/x.json']],
    ['<section class=ahp-notice><div>one</div></section><p>GET /not-this.json', []],
    ['<section class=ahp-notice>GET /unclosed.json', ['/unclosed.json']],
    ['<section class=ahp-notice-x>GET /a.json</section>', []],
    ['<!-- <section class=ahp-notice>GET /a.json</section> -->', []],
    ['<script>"<section class=ahp-notice>GET /a.json</section>"</script>', []],
  ])('%s', (html, notices) => {
    expect(manifestLinksInPage(html).notices).toEqual(notices)
  })

  it('has link elements, which resolve against its base', () => {
    const html =
      '<base href="/b/"><link rel="ahp-manifest" href="m.json"><link rel=next href=n><a rel=ahp-manifest href=x>'
    expect(manifestLinksInPage(html)).toMatchObject({ links: ['m.json'], base: '/b/' })
  })
})
