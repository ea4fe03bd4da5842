import { describe, expect, it } from 'vitest'
import { nearestName } from './nearest-name.js'

const KNOWN = ['maxPages', 'maxEntities', 'entities', 'now']

describe('nearestName', () => {
  it.each([
    ['maxPage', 'maxPages'],
    ['MAXPAGES', 'maxPages'],
    ['entites', 'entities'],
    ['nwo', undefined],
    ['no', 'now'],
    ['timeout', undefined],
    ['', undefined],
    ['x'.repeat(1_000_000), undefined],
  ])('of %s', (name, nearest) => {
    expect(nearestName(name, KNOWN)).toBe(nearest)
  })
})
