import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { createDurations } from './durations.js'
import { createTotals } from './totals.js'

it('gives durations as a histogram with all that are within each bound', async () => {
  const registry = new Registry()
  const durations = createDurations(registry, { name: 'took_seconds', help: 'H', labelName: 'face' })
  for (const ms of [1, 4, 15_000]) durations('read').add(ms)
  durations('ask').add(100)
  const lines = (await registry.metrics()).split('\n')
  expect(lines).toEqual(expect.arrayContaining(['# HELP took_seconds H', '# TYPE took_seconds histogram']))
  const counted = (le: string): string | undefined =>
    lines.find((line) => line.startsWith(`took_seconds_bucket{le="${le}",face="read"}`))?.split(' ')[1]
  expect([counted('0.001'), counted('0.005'), counted('10'), counted('+Inf')]).toEqual(['1', '2', '2', '3'])
  expect(lines).toContain('took_seconds_sum{face="read"} 15.005')
  expect(lines).toContain('took_seconds_count{face="read"} 3')
  expect(lines).toContain('took_seconds_bucket{le="0.1",face="ask"} 1')
})

it('gives totals by labels, the same however often somebody looks', async () => {
  const registry = new Registry()
  const totals = createTotals(registry, { name: 'seen_total', help: 'H', labelNames: ['a', 'b'] })
  totals.add('x', 'y')
  totals.add('x', 'y')
  totals.add('x', 'z')
  await registry.metrics()
  expect(await registry.metrics()).toBe(
    '# HELP seen_total H\n# TYPE seen_total counter\nseen_total{a="x",b="y"} 2\nseen_total{a="x",b="z"} 1\n',
  )
})
