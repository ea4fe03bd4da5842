import { expect, test } from 'vitest'
import { parseQualityValues } from './quality-values.js'

test.each([
  [
    'a, b;q=0.5,c ; q=0',
    [
      ['a', 1],
      ['b', 0.5],
      ['c', 0],
    ],
  ],
  ['text/markdown;variant=GFM;q=0.25', [['text/markdown', 0.25]]],
  ['Text/HTML;charset=utf-8', [['text/html', 1]]],
  ['a;Q=1.000', [['a', 1]]],
  [
    'a;q=0;x=1, b;level=1;q=0.5;y',
    [
      ['a', 0],
      ['b', 0.5],
    ],
  ],
  ['a;q=5, b;q=, c;q=0.1234, d;q=-1, e', [['e', 1]]],
  ['', []],
  [',,;q=1, ', []],
] as const)('%s', (fieldValue, expected) => {
  expect(parseQualityValues(fieldValue).map(({ value, quality }) => [value, quality])).toEqual(expected)
})

test.each([
  ';'.repeat(16_000),
  'a'.repeat(16_000),
  `a${' '.repeat(16_000)}b`,
  `a;${'; q='.repeat(4000)}`,
  'a,'.repeat(8000),
])('a hostile list is read to its end', (fieldValue) => {
  expect(parseQualityValues(fieldValue).length).toBeLessThanOrEqual(32)
})
