import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repeatedMembers } from './repeated-members.js'

function repeated(text: string): readonly string[] {
  return repeatedMembers(text, JSON.parse(text))
}

describe('repeatedMembers', () => {
  it.each([
    ['{"a":1,"a":2}', ['/a']],
    ['{"a":{"b":1,"b":1},"c":[{"d":1,"d":1}]}', ['/c/0/d', '/a/b']],
    ['{"a":1,"\\u0061":2}', ['/a']],
    ['{"__proto__":1,"__proto__":2}', ['/__proto__']],
    ['{"a/b":1,"a/b":2}', ['/a~1b']],
    ['{"a":"{\\"a\\":1}","b":"a\\\\"}', []],
    ['[{"a":1},{"a":1}]', []],
    ['"a:"', []],
    ['{ "a" : 1 , "b":[ ] }', []],
  ])('in %s are at %j', (text, pointers) => {
    expect([...repeated(text)].sort()).toEqual([...pointers].sort())
  })

  it('are none in what JSON.stringify wrote', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(repeated(JSON.stringify(value, null, 1))).toEqual([])
      }),
    )
  })

  it('of a text that is nested too deeply are not looked for', () => {
    const deep = `${'['.repeat(100_000)}{"a":1,"a":2}${']'.repeat(100_000)}`
    expect(repeated(deep)).toEqual([])
  })
})
