import { describe, expect, it } from 'vitest'
import { codeBlocks, documentedTexts, driftIn, renewBlocks, shownPart } from './check-examples.js'

const SOURCE = `import { a } from 'a'
// #region use
import { b } from 'b'
// #endregion use

export function run() {
  // #region use
  if (a) {
    b(a)
  }
  // #endregion use
}
`

describe('an example', () => {
  it('is shown whole, or by the parts of a region without their indent', () => {
    expect(shownPart(SOURCE)).toBe(SOURCE)
    expect(shownPart(SOURCE, 'use')).toBe("import { b } from 'b'\n\nif (a) {\n  b(a)\n}\n")
    expect(() => shownPart(SOURCE, 'none')).toThrow('no region none')
  })

  it('is put into the blocks that name it', () => {
    const text = 'Text.\n\n<!-- example: a.js -->\n\n```js\nold\n```\n\n```js\nunnamed\n```\n'
    expect(codeBlocks(text)).toMatchObject([
      { example: 'a.js', code: 'old\n', line: 5 },
      { example: undefined, code: 'unnamed\n', line: 9 },
    ])
    expect(renewBlocks(text, (name) => `${name} $&\n`)).toBe(text.replace('old', () => 'a.js $&'))
  })
})

it.each(documentedTexts())('each block of %s is what a tested example has', (path) => {
  expect(driftIn(path)).toEqual([])
})
