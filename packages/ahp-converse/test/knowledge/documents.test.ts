import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isConverseError } from '../../src/converse-error.js'
import {
  createKnowledge,
  documentsOfEntities,
  type KnowledgeDocument,
  type Passage,
} from '../../src/knowledge.js'
import { textOf } from '../../src/knowledge/documents/passage.js'
import { readDocument } from '../../src/knowledge/documents/read-document.js'
import { loadDocuments } from '../../src/knowledge/load-documents.js'
import { turnOf } from './turn.js'

const LIMITS = { language: undefined, maxDocumentCharacters: 1_000_000 }

function passagesOf(document: KnowledgeDocument): readonly Passage[] {
  return readDocument(document, LIMITS).passages
}

describe('Markdown', () => {
  it('is split by its headings, each with its path and its own address', () => {
    const content =
      '# Guide\n\nIntro.\n\n## Install\n\nA.\n\n### On Linux\n\nB.\n\n## Use {#usage}\n\nC.\n\n## Install\n\nD.'
    const passages = passagesOf({ url: '/guide', content })
    expect(passages.map(({ headings, url }) => [headings.join('/'), url])).toEqual([
      ['', '/guide'],
      ['Install', '/guide#install'],
      ['Install/On Linux', '/guide#on-linux'],
      ['Use', '/guide#usage'],
      ['Install', '/guide#install-1'],
    ])
    expect(new Set(passages.map(({ id }) => id)).size).toBe(5)
  })

  it('gives title, language, address and description in front matter', () => {
    const content =
      '---\ntitle: "A: title"\nlang: de\npermalink: /there\ndescription: About it.\n---\n# Heading\n\nText.'
    expect(readDocument({ content }, LIMITS).summary).toEqual({
      id: '/there',
      title: 'A: title',
      url: '/there',
      language: 'de',
      description: 'About it.',
    })
  })

  it.each(['---\n[broken: yaml: {\n---\n# Title\n\nText.', '---\n&a [*a]\n---\n# Title\n\nText.'])(
    'keeps its text when its front matter is broken',
    (content) => {
      const { summary, passages } = readDocument({ content }, LIMITS)
      expect(summary.title).toBe('Title')
      expect(passages).toHaveLength(1)
    },
  )

  it('loses its marks and keeps its words', () => {
    const content =
      'See the [guide](https://example.com "t"), *really*, `npm i`  \nand ![a diagram](x.png) <b>now</b> &amp; then.'
    expect(passagesOf({ id: 'x', content })[0]?.blocks).toEqual([
      { kind: 'prose', text: 'See the guide, really, npm i and a diagram now & then.' },
    ])
  })

  it('has nested lists, tables and code as blocks', () => {
    const content = '- a\n  - b\n- c\n\n  ```js\n  x()\n  ```\n- d\n\n| K | V |\n|---|---|\n| k1 | v1 |'
    expect(passagesOf({ id: 'x', content })[0]?.blocks).toEqual([
      { kind: 'list', items: ['a', 'b', 'c'], ordered: false },
      { kind: 'code', text: 'x()', syntax: 'js' },
      { kind: 'list', items: ['d'], ordered: false },
      { kind: 'list', items: ['K: k1; V: v1'], ordered: false },
    ])
  })

  it('splits a section that is too long between its blocks', () => {
    const paragraph = `${'word '.repeat(500)}end.`
    const passages = passagesOf({ url: '/x', content: `# T\n\n${`${paragraph}\n\n`.repeat(10)}` })
    expect(passages.length).toBeGreaterThan(3)
    expect(passages.flatMap(({ blocks }) => blocks)).toHaveLength(10)
    expect(new Set(passages.map(({ id }) => id)).size).toBe(passages.length)
  })

  it('is read without harm however deep it is nested', () => {
    const content = `${'> '.repeat(5000)}deep\n\n${'- '.repeat(2000)}deeper\n\n# Title\n\nText.`
    expect(passagesOf({ id: 'x', content }).at(-1)?.blocks).toEqual([{ kind: 'prose', text: 'Text.' }])
  })
})

describe('HTML', () => {
  it('is what a reader sees of the main part', () => {
    const content = `<!doctype html><html lang="fr-CA"><head><title>Install - Acme</title>
      <meta name="description" content="How to install."><style>p{}</style></head><body>
      <nav>Menu</nav><header>Banner</header><main><h1>Install</h1><p>First &amp; foremost,<br>read <b>this</b>.
      <section id="linux"><h2>On Linux</h2><ul><li>One <em>item</em><ul><li>Nested</li></ul></li><li><p>Two</p></li></ul>
      <pre><code class="language-sh">apt install
  acme</code></pre></section>
      <h2><a id="mac"></a>On a Mac<a href="#mac">#</a></h2><table><tr><th>Chip</th><th>Works</th></tr>
      <tr><td>M1</td><td>yes</td></tr></table><dl><dt>Term</dt><dd>Meaning</dd></dl></main>
      <footer>Imprint</footer><script>alert(1)</script></body></html>`
    const { summary, passages } = readDocument({ url: '/install', format: 'html', content }, LIMITS)
    expect(summary).toMatchObject({ title: 'Install', language: 'fr-CA', description: 'How to install.' })
    expect(passages.map(({ headings, url, blocks }) => ({ headings, url, blocks }))).toEqual([
      { headings: [], url: '/install', blocks: [{ kind: 'prose', text: 'First & foremost, read this.' }] },
      {
        headings: ['On Linux'],
        url: '/install#linux',
        blocks: [
          { kind: 'list', items: ['One item', 'Nested', 'Two'], ordered: false },
          { kind: 'code', text: 'apt install\n  acme', syntax: 'sh' },
        ],
      },
      {
        headings: ['On a Mac'],
        url: '/install#mac',
        blocks: [
          { kind: 'list', items: ['Chip: M1; Works: yes'], ordered: false },
          { kind: 'prose', text: 'Term: Meaning' },
        ],
      },
    ])
  })

  it.each([
    '<p hidden>SECRET</p>',
    '<p style="color:red; display : none">SECRET</p>',
    '<div style="visibility:hidden"><p>SECRET</p></div>',
    '<p style="font-size:0">SECRET</p>',
    '<p style="font-size: 0.0px">SECRET</p><p style="opacity:0.00">SECRET</p>',
    '<span aria-hidden="true">SECRET</span>',
    '<!-- SECRET -->',
    '<template><p>SECRET</p></template>',
    '<noscript>SECRET</noscript>',
    '<img alt="SECRET" src=x>',
    '<p title="SECRET"></p>',
  ])('H11: is silent about what people do not see: %s', (hidden) => {
    for (const format of ['html', 'markdown'] as const) {
      const passages = passagesOf({ id: 'x', format, content: `<p>Seen.</p>\n\n${hidden}\n\n<p>Too.</p>` })
      expect(JSON.stringify(passages)).not.toContain('SECRET')
      expect(JSON.stringify(passages)).toContain('Too.')
    }
  })

  it('is read without harm however broken it is', () => {
    const content = `${'<div><ul><li>'.repeat(500)}deep</b></p></ul><td>cell<h1>`
    expect(JSON.stringify(passagesOf({ id: 'x', format: 'html', content }))).toContain('deep')
  })

  it('is refused when it is nested deeper than any page', () => {
    const content = '<div>'.repeat(100_000)
    expect(() => passagesOf({ id: 'x', format: 'html', content })).toThrow(/nested more than 2000 levels/)
  })
})

describe('records', () => {
  it('are lists of their fields, with long values as paragraphs', () => {
    const text = 'A long description. '.repeat(20).trim()
    const content = {
      name: 'Lamp',
      unitPrice: 19.9,
      in_stock: true,
      sizes: ['S', 'M'],
      box: { weightKg: 2 },
      text,
      none: null,
    }
    const { summary, passages } = readDocument({ url: '/lamp', format: 'record', content }, LIMITS)
    expect(summary.title).toBe('Lamp')
    expect(passages[0]?.blocks).toEqual([
      { kind: 'prose', text },
      {
        kind: 'list',
        ordered: false,
        items: ['name: Lamp', 'unit price: 19.9', 'in stock: true', 'sizes: S, M', 'box, weight kg: 2'],
      },
    ])
  })

  it('may come from an AADP site', async () => {
    const entities = [
      {
        id: 'product:lamp',
        canonical_url: 'https://shop.example/lamp',
        locale: 'en',
        data: { name: 'Lamp', price: '19 EUR' },
      },
    ]
    const knowledge = await createKnowledge({ documents: documentsOfEntities(entities) })
    expect(knowledge.documents).toEqual([
      { id: 'product:lamp', title: 'Lamp', url: 'https://shop.example/lamp', language: 'en' },
    ])
  })

  it('end where they go round in circles or too deep', () => {
    const content: Record<string, unknown> = { name: 'Loop' }
    content['self'] = content
    expect(passagesOf({ id: 'x', format: 'record', content })).toHaveLength(1)
  })
})

describe('any document', () => {
  it('is read without harm', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('markdown', 'html', 'text'),
        (content, format) => {
          for (const passage of passagesOf({ id: 'x', format, content })) {
            expect(passage.blocks.length).toBeGreaterThan(0)
          }
        },
      ),
    )
  })

  // Each takes minutes where the time grows with the square of the text.
  it.each([
    ['names with a capital inside', 'markdown', `aB ${'a'.repeat(300_000)}`],
    ['white space in code', 'markdown', `\`\`\`\nx${' '.repeat(300_000)}x\n\`\`\``],
    ['sentences that do not end', 'text', '1. '.repeat(200_000)],
    ['sentences', 'text', 'Foo bar. '.repeat(100_000)],
    ['a script without spaces', 'text', 'の漢字'.repeat(100_000)],
    ['one heading without an end', 'html', `<h1>${'<p>x'.repeat(200_000)}`],
    ['one anchor', 'html', '<h2 id=a>x</h2><p>y'.repeat(40_000)],
  ] as const)('with a great many of %s takes no time', async (_, format, content) => {
    const knowledge = await createKnowledge({ documents: [{ id: 'x', format, content, title: 'Sample' }] })
    await knowledge.answer(turnOf(`${content.slice(0, 2000)} sample`))
  })

  it('is in passages of one length, however long a paragraph or a list is', () => {
    const text = Array.from({ length: 2000 }, (_, number) => `This is sentence ${number} of many.`).join('\n')
    const list = Array.from({ length: 2000 }, (_, number) => `1. item ${number} of many`).join('\n')
    const word = 'x'.repeat(20_000)
    for (const [content, last] of [
      [text, 'This is sentence 1999 of many.'],
      [list, 'item 1999 of many'],
      [word, 'xxx'],
    ] as const) {
      const passages = passagesOf({ id: 'x', content })
      const texts = passages.map(textOf)
      expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(7000)
      expect(texts.at(-1)).toMatch(new RegExp(`${last}$`))
      expect(texts.join(' ').length).toBeGreaterThan(word.length)
    }
  })

  it.each([
    ['markdown', '---\nlang: en_US\n---\n', 'en-US'],
    ['markdown', '---\nlang: plain English\n---\n', 'en'],
    ['html', '<html lang="de_AT">', 'de-AT'],
    ['html', '<html lang="x-">', 'en'],
    ['html', '<html lang="">', 'en'],
  ] as const)('is quoted whatever it calls its language: %s %j', async (format, head, language) => {
    const content = `${head}${'Our refund takes ten days. '.repeat(100)}`
    const knowledge = await createKnowledge({ documents: [{ id: 'x', format, content, title: 'Refund' }] })
    expect(knowledge.documents[0]?.language).toBe(language)
    expect(await knowledge.answer(turnOf('refund'))).toMatchObject({
      answer: expect.stringContaining('Our refund') as string,
    })
  })

  it.each([
    null,
    7,
    { id: 7 },
    { title: 7 },
    { description: null },
    { language: 7 },
    { language: 'not one' },
  ])('is refused for what is none: %j', async (facts) => {
    const document =
      typeof facts === 'object' && facts !== null ? { id: 'x', content: 'Text', ...facts } : facts
    await expect(createKnowledge({ documents: [document as never] })).rejects.toMatchObject({
      code: 'invalid_document',
    })
  })

  it('may have an anchor that is no text', () => {
    const content = '<h2 id="a\ud800">Heading</h2><p>Text'
    expect(passagesOf({ url: '/x', format: 'html', content })[0]?.url).toBe('/x#a%EF%BF%BD')
  })

  it('has no characters that hide in it or turn it round', () => {
    const content = 'Pay\u200b to\u202e evil\u0000 \u{e0041}here\ufeff.'
    expect(passagesOf({ id: 'x', format: 'text', content })[0]?.blocks).toEqual([
      { kind: 'prose', text: 'Pay to evil here.' },
    ])
  })

  it.each<[string, unknown]>([
    ['no name at all', { content: 'Text without a heading.' }],
    ['an empty name', { id: '', content: 'x' }],
    ['a URL of another scheme', { url: 'javascript:alert(1)', content: 'x' }],
    ['a URL of another host in disguise', { url: '//evil.example/x', content: 'x' }],
    ['a backslash in the URL', { url: '/\\evil.example', content: 'x' }],
    ['a relative URL', { url: 'guide', content: 'x' }],
    ['no content', { id: 'x' }],
    ['an unknown format', { id: 'x', format: 'pdf', content: 'x' }],
    ['a record that is a list', { id: 'x', format: 'record', content: [] }],
  ])('is refused with %s', async (_, document) => {
    const knowledge = await createKnowledge()
    const error: unknown = await knowledge.add(document as KnowledgeDocument).catch((error: unknown) => error)
    expect(isConverseError(error, 'invalid_document')).toBe(true)
  })

  it('C46: has an address that resolves against the origin of the site', async () => {
    const knowledge = await createKnowledge({
      documents: [{ url: '/a b'.replace(' ', '%20'), content: '# Ä heading "here"\n\n## Sub\n\nText.' }],
    })
    for (const { passage } of await knowledge.retrieve('text')) {
      const url = new URL(passage.url ?? '', 'https://site.example')
      expect(url.origin).toBe('https://site.example')
      expect(url.pathname).toBe('/a%20b')
      expect(passage.url).toBe(`${url.pathname}${url.hash}`)
    }
  })
})

it.each([
  ['a path', './docs', /^options must be an object/],
  ['documents alone', [{ content: 'x' }], /^options must be an object with the documents as a member/],
  ['a path of documents', { documents: './docs' }, /^documents must be a list of documents/],
  ['a misspelt name', { document: [] }, /^document is not an option; there are documents, /],
  ['texts', { documents: ['# Returns'] }, /^A document is an object/],
  ['a page without content', { documents: [{ url: '/returns' }] }, /^The content of "\/returns" must be/],
  ['a url that is none', { documents: [{ id: 'a', url: 'b', content: '' }] }, /^The url of "a" must be/],
])('createKnowledge says what is wrong with %s', async (_, options, message) => {
  await expect(createKnowledge(options as never)).rejects.toThrow(message)
})

describe('loadDocuments', () => {
  it('reads what a folder has, and nothing outside of it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'documents-'))
    try {
      await mkdir(join(folder, 'site', 'guide'), { recursive: true })
      await mkdir(join(folder, 'site', '.git'))
      await writeFile(join(folder, 'outside.md'), '# Outside')
      await symlink(join(folder, 'outside.md'), join(folder, 'site', 'link.md'))
      await writeFile(join(folder, 'site', '.git', 'x.md'), '# Git')
      await writeFile(join(folder, 'site', 'README.md'), '# Home\n\nText.')
      await writeFile(join(folder, 'site', 'guide', 'First steps.md'), '# First\n\nText.')
      await writeFile(join(folder, 'site', 'about.html'), '<h1>About</h1><p>Us.</p>')
      await writeFile(
        join(folder, 'site', 'faq.json'),
        '[{"id": 7, "question": "Q?", "answer": "A."}, {"url": "/q"}, 3]',
      )
      await writeFile(join(folder, 'site', 'logo.png'), 'x')
      const knowledge = await createKnowledge({ documents: loadDocuments(join(folder, 'site')) })
      expect(knowledge.documents.map(({ id, url, title }) => [id, url, title])).toEqual([
        ['README.md', '/', 'Home'],
        ['about.html', '/about.html', 'About'],
        ['faq.json#7', undefined, 'Q?'],
        ['faq.json#1', '/q', '/q'],
        ['guide/First steps.md', '/guide/First%20steps', 'First'],
      ])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('refuses a folder that has nothing to read, and options that there are not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'documents-'))
    try {
      await writeFile(join(folder, 'logo.png'), 'x')
      await expect(createKnowledge({ documents: loadDocuments(folder) })).rejects.toThrow(
        `folder must have .md, .html, .txt or .json files: ${folder}`,
      )
      for (const none of [join(folder, 'none'), join(folder, 'logo.png')])
        await expect(createKnowledge({ documents: loadDocuments(none) })).rejects.toMatchObject({
          code: 'invalid_option',
          option: 'folder',
          message: `folder must be a folder that can be read: ${none}`,
        })
      expect(() => loadDocuments(folder, { urlof: String } as never)).toThrow(/^urlof is not an option/)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('reads records with a byte order mark, and with an address that is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'documents-'))
    try {
      await writeFile(
        join(folder, 'a.json'),
        '\ufeff[{"name":"A","url":"javascript:x"},{"name":"B","url":"/b"}]',
      )
      const knowledge = await createKnowledge({ documents: loadDocuments(folder) })
      expect(knowledge.documents.map(({ title, url }) => [title, url])).toEqual([
        ['A', undefined],
        ['B', '/b'],
      ])
      await writeFile(join(folder, 'b.json'), '{')
      await expect(createKnowledge({ documents: loadDocuments(folder) })).rejects.toThrow(
        'b.json is not JSON',
      )
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('takes the addresses it is told', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'documents-'))
    try {
      await writeFile(join(folder, 'a.md'), '# A\n\nText.')
      const documents = loadDocuments(folder, { urlOf: (path) => `https://docs.example/${path}` })
      const knowledge = await createKnowledge({ documents })
      expect(knowledge.documents[0]?.url).toBe('https://docs.example/a.md')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
