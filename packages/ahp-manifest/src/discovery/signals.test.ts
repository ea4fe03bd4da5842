import { parseFragment, serialize } from 'parse5'
import { describe, expect, it } from 'vitest'
import type { Manifest } from '../generated/manifest/manifest.js'
import { agentNotice } from './agent-notice.js'
import { addContentSignal, contentSignalLine } from './content-signal.js'
import { linkHeader } from './link-header.js'
import { llmsTxt } from './llms-txt.js'
import { negotiateManifest } from './negotiate-manifest.js'

describe('linkHeader', () => {
  it('names both relations and the type, and llms.txt where there is one', () => {
    expect(linkHeader()).toBe(
      '</.well-known/agent.json>; rel="ahp-manifest agent-manifest"; type="application/agent+json"',
    )
    expect(linkHeader({ manifestUrl: 'https://a.example/m', llmsTxtUrl: '/docs/llms.txt' })).toBe(
      '<https://a.example/m>; rel="ahp-manifest agent-manifest"; type="application/agent+json", </docs/llms.txt>; rel="describedby"; type="text/markdown"',
    )
  })

  it.each(['/a>; rel="evil"', '/a b', '/a\r\nset-cookie: x', '/é', ''])(
    'refuses the URL %j',
    (manifestUrl) => {
      expect(() => linkHeader({ manifestUrl })).toThrow(
        expect.objectContaining({ code: 'invalid_option' }) as Error,
      )
    },
  )
})

describe('agentNotice', () => {
  it.each(['hidden', 'visually-hidden'] as const)('is one section of ASCII, recognisable and %s', (style) => {
    const notice = agentNotice({ style })
    expect(notice).toMatch(/^<section class="ahp-notice" aria-label="AI Agent Notice" [^>]*style="/)
    expect(notice).toMatch(/^[\x20-\x7e]+$/)
    expect(serialize(parseFragment(notice))).toBe(notice)
    expect(notice).toContain('GET /.well-known/agent.json')
    expect(notice).toContain('AHP/0.1')
    expect(notice.includes('display:none')).toBe(style === 'hidden')
  })

  it('escapes what it is given', () => {
    const notice = agentNotice({ manifestUrl: '/"><script>é', converseUrl: "/a?b&c='" })
    expect(notice).not.toContain('<script>')
    expect(notice).toContain('POST /a?b&#38;c=&#39;')
    expect(notice).toMatch(/^[\x20-\x7e]+$/)
  })
})

describe('negotiateManifest', () => {
  it.each([
    ['application/agent+json', true],
    ['text/html, application/agent+json;q=0.5', true],
    ['APPLICATION/AGENT+JSON ; Q=1', true],
    ['text/html;a="x,y", application/agent+json', true],
    ['application/agent+json;q=0', false],
    ['application/agent+json; q=0.000', false],
    ['application/agent+json;q=x', false],
    ['application/agent+jsonp', false],
    ['text/html;a="application/agent+json,application/agent+json"', false],
    ['*/*', false],
    ['', false],
    [`${'text/html,'.repeat(1000)}application/agent+json`, false],
  ])('for %.80j is %s', (accept, expected) => {
    const headers = new Headers({ accept })
    expect(negotiateManifest({ method: 'GET', headers })).toBe(expected)
    expect(negotiateManifest({ method: 'HEAD', headers })).toBe(expected)
    expect(negotiateManifest({ method: 'POST', headers })).toBe(false)
  })

  it('takes linear time for hostile fields', () => {
    const headers = new Headers({ accept: `"${'\\"'.repeat(4000)}` })
    expect(negotiateManifest({ method: 'GET', headers })).toBe(false)
  })
})

describe('contentSignalLine', () => {
  it('says what is stated, and nothing of the rest', () => {
    expect(
      contentSignalLine({ ai_train: false, ai_input: true, search: true, attribution_required: true }),
    ).toBe('Content-Signal: search=yes, ai-input=yes, ai-train=no')
    expect(contentSignalLine({ ai_train: false })).toBe('Content-Signal: ai-train=no')
    expect(contentSignalLine({ attribution_required: true })).toBe('')
  })
})

describe('addContentSignal', () => {
  const signals = { ai_train: false }
  const line = 'Content-Signal: ai-train=no'

  it.each([
    ['nothing', '', `User-agent: *\n${line}\nAllow: /\n`],
    ['a group for all', 'User-agent: *\nDisallow: /a\n', `User-agent: *\n${line}\nDisallow: /a\n`],
    [
      'a joint group',
      'user-agent: Bot\nUser-Agent : * # all\n\nAllow: /',
      `user-agent: Bot\nUser-Agent : * # all\n\n${line}\nAllow: /\n`,
    ],
    [
      'another group only',
      'User-agent: Bot\nDisallow: /\n',
      `User-agent: Bot\nDisallow: /\n\nUser-agent: *\n${line}\nAllow: /\n`,
    ],
    [
      'a signal already',
      'User-agent: *\ncontent-signal: ai-train=yes\nAllow: /\n',
      `User-agent: *\n${line}\nAllow: /\n`,
    ],
    ['a group without rules', '# hi\nUser-agent: *', `# hi\nUser-agent: *\n${line}\n`],
    [
      'a group for all and then another',
      'User-agent: *\nAllow: /\nUser-agent: Bot\nContent-Signal: search=no\nDisallow: /\n',
      `User-agent: *\n${line}\nAllow: /\nUser-agent: Bot\nContent-Signal: search=no\nDisallow: /\n`,
    ],
    [
      'two groups for all',
      'User-agent: *\nAllow: /\n\nUser-agent: *\nContent-Signal: search=no\nDisallow: /a\n',
      `User-agent: *\n${line}\nAllow: /\n\nUser-agent: *\nDisallow: /a\n`,
    ],
    [
      'a byte order mark and CRLF',
      '\uFEFFUser-agent: *\r\nAllow: /\r\n',
      `\uFEFFUser-agent: *\n${line}\nAllow: /\n`,
    ],
  ])('adds the line to a file with %s', (_, before, after) => {
    expect(addContentSignal(before, signals)).toBe(after)
    expect(addContentSignal(after, signals)).toBe(after)
  })

  it('changes nothing when nothing is stated', () => {
    expect(addContentSignal('User-agent: *\r\n', {})).toBe('User-agent: *\r\n')
  })
})

describe('llmsTxt', () => {
  const manifest: Manifest = {
    ahp: '0.1',
    name: 'The\nBook # Shelf',
    description: 'Reviews of *novels*.',
    modes: ['MODE1', 'MODE2'],
    capabilities: [{ name: 'search', description: 'Finds reviews', mode: 'MODE2' }],
    content_signals: { ai_input: true },
  }

  it('has the name, the description, the sections, how to ask, and what is optional', () => {
    const text = llmsTxt(manifest, {
      details: 'Written by readers.\n',
      sections: [
        { title: 'Reviews', links: [{ title: 'Dune [1965]', url: '/dune (1).md', note: 'a\nreview' }] },
        { title: 'Empty', links: [] },
      ],
      optional: [{ title: 'Press', url: 'https://a.example/press' }],
    })
    expect(text).toBe(`# The Book \\# Shelf

> Reviews of \\*novels\\*.

Written by readers.

## Reviews

- [Dune \\[1965\\]](/dune%20%281%29.md): a review

## Asking questions

- [Agent manifest](/.well-known/agent.json): questions are answered at POST /agent/converse (Agent Handshake Protocol): search, Finds reviews

## Optional

- [Press](https://a.example/press)
`)
  })

  it('needs nothing but a manifest', () => {
    const bare: Manifest = { ahp: '0.1', modes: ['MODE1'], content_signals: { ai_input: true } }
    for (const text of [llmsTxt(bare), llmsTxt(bare, {}), llmsTxt(bare, { sections: [] })])
      expect(text).toBe('# This site\n')
  })

  it.each<[string, unknown]>([
    ['content', 'Reviews'],
    ['content', null],
    ['content', []],
    ['details', { details: 1 }],
    ['sections', { sections: 'Reviews' }],
    ['sections', { sections: [null] }],
    ['sections', { sections: [{ title: 'Reviews' }] }],
    ['sections', { sections: [{ title: 'Reviews', links: [{ title: 'Dune' }] }] }],
    ['optional', { optional: ['/press'] }],
    ['section', { section: [] }],
  ])('names %s where it is not what it must be', (option, content) => {
    const refused = expect.objectContaining({
      code: 'invalid_option',
      message: expect.stringMatching(`^${option} `) as string,
    }) as Error
    expect(() => llmsTxt(manifest, content as never)).toThrow(refused)
  })

  it.each([undefined, null, 'The Book Shelf'])('refuses %j for a manifest', (none) => {
    expect(() => llmsTxt(none as never)).toThrow(
      expect.objectContaining({ code: 'invalid_option', message: 'manifest must be an object' }) as Error,
    )
  })
})
