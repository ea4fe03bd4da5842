import { expect, it } from 'vitest'
import { toJSONSchema, z } from 'zod'
import { patternCost } from './pattern-cost.js'

it.each([
  '^(a+)+$',
  '^(a|a)*$',
  '(a|a)*$',
  '^(a|aa)+$',
  '^(a|b|ab)*c$',
  '^(?:a*)*b$',
  '^(\\w+\\s?)*$',
  '^(\\d+)*$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '^\\w+([.-]?\\w+)*@\\w+([.-]?\\w+)*(\\.\\w{2,3})+$',
  '(x+x+)+y',
  '^(?:.*a){20}$',
  '^(\\p{L}|é)+$',
  '^([\\u00e0-\\u00ff]|\\u00e9)*!$',
  '^(a?){50}a{50}$',
  '^((ab)*|(a|b)*)*$',
  '(["\']).*\\1',
  '^(?=(a+)+$)',
  '^(?<name>a+)+$',
])('%s takes exponential time', (pattern) => {
  expect(patternCost(pattern)).toBe('exponential')
})

it.each([
  ['^ORD-[0-9]+$', 1],
  ['^\\d{4}-\\d{2}-\\d{2}$', 1],
  ['^[\\p{L} ]+$', 1],
  ['[a-z]+', 1],
  ['\\S', 1],
  ['^(?=.*\\d).{8,}$', 1],
  ['^([a-z0-9]+(-[a-z0-9]+)*)$', 1],
  ['^([^,]*,)*x$', 1],
  ['^(?:[a-z]+\\.)*[a-z]+$', 1],
  ['^$|^a+$', 1],
  ['', 1],
  ['[a-z]+@[a-z]+', 2],
  ['^\\s+|\\s+$', 2],
  ['^[a-z]*[a-z0-9]*$', 2],
  ['^[a-z]*[a-z0-9]*[a-z_]*$', 3],
  ['^(.*),(.*),(.*),(.*)$', 4],
])('%s takes the power %i of the length', (pattern, power) => {
  expect(patternCost(pattern)).toBe(power)
})

it.each(
  Object.entries({
    email: z.email(),
    uuid: z.uuid(),
    date: z.iso.date(),
    time: z.iso.datetime(),
    duration: z.iso.duration(),
    ipv4: z.ipv4(),
    ipv6: z.ipv6(),
    base64: z.base64(),
    e164: z.e164(),
    emoji: z.emoji(),
  }),
)('the pattern of a library for %s takes no more than the square', (_name, schema) => {
  const { pattern } = toJSONSchema(schema)
  expect([1, 2]).toContain(patternCost(pattern ?? ''))
})
