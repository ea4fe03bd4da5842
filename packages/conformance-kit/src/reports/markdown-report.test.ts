import { describe, expect, it } from 'vitest'
import { EVERY_STATUS, exampleReport, failedCheck } from '../../test/example-report.js'
import { renderMarkdownReport } from './markdown-report.js'

describe('renderMarkdownReport', () => {
  it('tallies, shows what is wrong and lists all checks', () => {
    const text = renderMarkdownReport(exampleReport(EVERY_STATUS))
    expect(text).toContain('## ❌ demo-conformance: failed')
    expect(text).toContain('| 5 | 1 | 1 | 1 | 1 | 1 |')
    expect(text).toContain('- `The checksum is wrong.` at `https://site.test/a.json#/checksum`')
    expect(text).toContain('> **R-1** MUST: The checksum of an entity')
    expect(text).toContain('**Fix:** Compute the checksum')
    expect(text).toContain('| ✅ | `http.head` |')
  })

  it('lets no name of a runner write HTML or start a line', () => {
    const runner = { name: 'a\n<b>', version: '1' }
    expect(renderMarkdownReport(exampleReport([], { runner }))).toContain('## ✅ a\\u000a\\<b\\>: passed\n')
  })

  it.each([
    ['mentions and HTML', 'hello @team <img src=x>', '`hello @team <img src=x>`'],
    ['backticks', 'a ``` b', '````a ``` b````'],
    ['backticks at an edge', '`x`', '`` `x` ``'],
    ['a table cell', 'a|b', '`a¦b`'],
    ['lines', 'a\n# b', '`a\\u000a# b`'],
  ])('keeps %s of a site inside a code span', (_, message, expected) => {
    expect(renderMarkdownReport(exampleReport([failedCheck(message)]))).toContain(`- ${expected} at`)
  })
})
