import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineResource } from '../config/define-resource.js'
import { type Collection, createCollection } from './create-collection.js'

const { signal } = new AbortController()

async function walk(
  collection: Collection<string>,
  limit: number,
  between: () => void = () => {},
): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | null = null; ;) {
    const page: { items: readonly string[]; nextCursor: string | null } = await collection.list({
      cursor,
      limit,
      signal,
    })
    found.push(...page.items)
    if (page.nextCursor === null) return found
    cursor = page.nextCursor
    between()
  }
}

test('lists every record once, in order, whatever the size of a page', async () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9_-]{0,5}$/), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(names, fc.integer({ min: 1, max: 10 }), async (records, limit) => {
      const collection = createCollection(records, { name: (record) => record })
      expect(await walk(collection, limit)).toEqual([...records].sort())
    }),
  )
})

test('a walk meets every record that stays, whatever comes and goes meanwhile', async () => {
  const staying = ['b', 'd', 'f', 'h', 'j']
  let round = 0
  const collection = createCollection([...staying, 'a', 'c'], { name: (record) => record })
  const found = await walk(collection, 2, () => {
    round++
    collection.replace([...staying, ...(round % 2 === 0 ? ['a', 'aa', 'c'] : ['e'])])
  })
  expect(found.filter((record) => staying.includes(record))).toEqual(staying)
  expect(new Set(found).size).toBe(found.length)
})

test('finds and counts', async () => {
  const collection = createCollection([{ slug: 'a' }, { slug: 'b' }], { name: ({ slug }) => slug })
  expect(await collection.get({ id: 'b', signal })).toEqual({ slug: 'b' })
  expect(await collection.get({ id: 'constructor', signal })).toBeUndefined()
  expect(collection.count).toBeTypeOf('function')
})

test('a spread copy reads, and has nothing that is no option of a resource', async () => {
  const collection = createCollection(['a'], { name: (record) => record })
  collection.replace(['b'])
  expect(Object.keys({ ...collection })).toEqual(['list', 'get', 'count'])
  expect(await { ...collection }.get({ id: 'b', signal })).toBe('b')
  expect(() =>
    defineResource<string>({
      type: 'post',
      ...collection,
      serialize: (name) => ({ id: `post:${name}`, updatedAt: new Date(0), data: {} }),
    }),
  ).not.toThrow()
})

test('refuses two records of one name, and a cursor that is no name (PG-14)', () => {
  expect(() => createCollection(['a', 'a'], { name: (record) => record })).toThrow(RangeError)
  const collection = createCollection(['a'], { name: (record) => record })
  for (const cursor of ['', '-1', '1.5', 'A', '../a']) {
    expect(() => collection.list({ cursor, limit: 1, signal })).toThrow(
      expect.objectContaining({ status: 400 }) as Error,
    )
  }
})

test('a walk goes on after a record whose name cannot be published', async () => {
  const collection = createCollection(['A B', 'Z', 'a', 'b'], { name: (record) => record })
  expect(await walk(collection, 1)).toEqual(['A B', 'Z', 'a', 'b'])
})

test('refuses a record without a name, which would end the listing', () => {
  for (const name of [undefined, null, 1]) {
    expect(() => createCollection(['a'], { name: () => name as unknown as string })).toThrow(TypeError)
  }
})
