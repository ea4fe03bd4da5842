import fc from 'fast-check'
import { expect, it } from 'vitest'
import { discoverAllEntities, type ReadIssue } from '../src/index.js'
import { Site } from './site.js'
import { fetchFor } from './safe.js'

const shape = fc.record({
  counts: fc.dictionary(fc.constantFrom('post', 'page', 'note', 'book'), fc.nat(12), { maxKeys: 4 }),
  pageSize: fc.integer({ min: 1, max: 7 }),
  announces: fc.boolean(),
  concurrency: fc.integer({ min: 1, max: 9 }),
  ordered: fc.boolean(),
  /** One of so many entities is faulty, and how. */
  faultEvery: fc.integer({ min: 2, max: 9 }),
  status: fc.constantFrom(200, 404, 500),
})

it('yields every entity that is right, each once, and reports each that is not', async () => {
  await fc.assert(
    fc.asyncProperty(shape, async ({ faultEvery, status, concurrency, ordered, ...options }) => {
      await using site = await new Site(options).start()
      const faulty = site.ids().filter((_, index) => index % faultEvery === 1)
      for (const id of faulty) site.answer(`/entity/${id.replace(':', '/')}`, status, '{}')
      const issues: ReadIssue[] = []
      const walk = discoverAllEntities(site.origin, {
        fetch: fetchFor(site),
        concurrency,
        ordered,
        onError: (issue) => issues.push(issue),
      })
      const ids: string[] = []
      for await (const { id } of walk) ids.push(id)
      const expected = site.ids().filter((id) => !faulty.includes(id))
      expect(ordered ? ids : ids.toSorted()).toEqual(ordered ? expected : expected.toSorted())
      expect(issues.map(({ id }) => id).toSorted()).toEqual(faulty.toSorted())
      expect(walk.summary).toMatchObject({ complete: faulty.length === 0, entities: ids.length })
      expect(site.peak).toBeLessThanOrEqual(concurrency)
    }),
    { numRuns: 60 },
  )
})
