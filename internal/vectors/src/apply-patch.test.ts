import { describe, expect, it } from 'vitest'
import { applyPatch } from './apply-patch.js'

describe('applyPatch', () => {
  const document = { list: [1, 2], 'a/b~c': { deep: true } }

  it('adds, replaces and removes members', () => {
    expect(applyPatch(document, [{ op: 'add', path: '/new', value: null }])).toEqual({
      ...document,
      new: null,
    })
    expect(applyPatch(document, [{ op: 'replace', path: '/list', value: 3 }])).toEqual({
      ...document,
      list: 3,
    })
    expect(applyPatch(document, [{ op: 'remove', path: '/a~1b~0c/deep' }])).toEqual({
      list: [1, 2],
      'a/b~c': {},
    })
  })

  it('adds, replaces and removes items', () => {
    expect(applyPatch([1, 2], [{ op: 'add', path: '/1', value: 9 }])).toEqual([1, 9, 2])
    expect(applyPatch([1, 2], [{ op: 'add', path: '/-', value: 9 }])).toEqual([1, 2, 9])
    expect(applyPatch([1, 2], [{ op: 'replace', path: '/0', value: 9 }])).toEqual([9, 2])
    expect(applyPatch([1, 2], [{ op: 'remove', path: '/0' }])).toEqual([2])
  })

  it('replaces the root', () => {
    expect(applyPatch(document, [{ op: 'replace', path: '', value: [] }])).toEqual([])
  })

  it('writes an own member named __proto__ and leaves prototypes alone', () => {
    const changed = applyPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }])
    expect(JSON.stringify(changed)).toBe('{"__proto__":{"polluted":true}}')
    expect(changed).not.toHaveProperty('polluted')
    expect({}).not.toHaveProperty('polluted')
  })

  it('leaves its input as it was', () => {
    const before = structuredClone(document)
    applyPatch(document, [{ op: 'remove', path: '/list/0' }])
    expect(document).toEqual(before)
  })

  it.each(['/absent/x', '/absent', '/list/7', '/list/x', '/toString'])('refuses the place %s', (path) => {
    expect(() => applyPatch(document, [{ op: 'replace', path, value: 1 }])).toThrow(`no place ${path}`)
  })

  it('refuses to leave a hole in an array', () => {
    expect(() => applyPatch([], [{ op: 'add', path: '/1', value: 1 }])).toThrow('no place /1')
  })
})
