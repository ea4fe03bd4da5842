import { describe, expect, it } from 'vitest'
import { outlineOf, renderMarkdown } from './markdown-document.js'

const same = { resolveLink: (href: string): string => href }

describe('outlineOf', () => {
  it('finds title, summary and sections', () => {
    const text = '# The `find` step\n\nOne *short*\nline.\n\n## Same\n\n### Same\n\nSetext\n---\n'
    expect(outlineOf(text)).toEqual({
      title: 'The find step',
      summary: 'One short line.',
      sections: [
        { level: 1, title: 'The find step', anchor: 'the-find-step' },
        { level: 2, title: 'Same', anchor: 'same' },
        { level: 3, title: 'Same', anchor: 'same-1' },
        { level: 2, title: 'Setext', anchor: 'setext' },
      ],
    })
  })

  it('does not take a list or code for the summary', () => {
    expect(outlineOf('# T\n\n- item\n\n```\n# code\n```\n\nText.').summary).toBe('Text.')
    expect(outlineOf('- item').summary).toBe('')
  })

  it('does not take what leads over to code', () => {
    const code = '\n\n```\nx\n```\n\n'
    expect(outlineOf(`# T${code}prints${code}Each page gets a link.`).summary).toBe('Each page gets a link.')
    expect(outlineOf(`# T\n\nRun it:${code}What a site needs:${code}`).summary).toBe('What a site needs.')
    expect(outlineOf(`# T\n\nRun it:${code}`).summary).toBe('Run it.')
  })

  it('cuts a long summary at a word', () => {
    const { summary } = outlineOf('word '.repeat(100))
    expect(summary.length).toBeLessThanOrEqual(300)
    expect(summary).toMatch(/word…$/)
    expect(Array.from(outlineOf('😀'.repeat(400)).summary)).toHaveLength(300)
  })
})

describe('renderMarkdown', () => {
  it('aligns columns without inline style', () => {
    const page = renderMarkdown('| a | b | c |\n| :-: | --: | --- |\n| 1 | 2 | 3 |', same)
    expect(page).toContain('<td class="align-center">1</td>')
    expect(page).toContain('<th class="align-right">b</th>')
    expect(page).toContain('<td>3</td>')
    expect(page).not.toContain('style=')
  })

  it('has no head of a column that has none', () => {
    const page = renderMarkdown('|   | b |\n| - | - |\n| 1 | 2 |', same)
    expect(page).toMatch(/<tr>\s*<td><\/td>\s*<th>b<\/th>\s*<\/tr>/)
  })

  it('shows HTML as text and drops links that run code', () => {
    const page = renderMarkdown('<script>x</script>\n\n[a](javascript:alert(1)) <img src=x onerror=y>', same)
    expect(page).not.toMatch(/<script|<img|<a /)
  })

  it('leaves out comments, but not what shows one', () => {
    expect(renderMarkdown('One\n\n<!-- note -->\n\n`<!-- code -->`', same)).toBe(
      '<p>One</p>\n<p><code>&lt;!-- code --&gt;</code></p>\n',
    )
  })

  it('makes no request for a picture', () => {
    expect(renderMarkdown('![a "sign"](https://cdn.test/a.png)', same)).toBe('<p>a &quot;sign&quot;</p>\n')
  })

  it('names sections as the outline does', () => {
    const text = '# One & two\n\n## A\n\n## A\n'
    for (const { anchor } of outlineOf(text).sections)
      expect(renderMarkdown(text, same)).toContain(`id="${anchor}"`)
  })

  it('resolves links', () => {
    expect(renderMarkdown('[a](./b.md)', { resolveLink: (href) => `/x/${href}` })).toContain(
      'href="/x/./b.md"',
    )
  })
})
