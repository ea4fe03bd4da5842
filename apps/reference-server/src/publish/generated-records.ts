import { defineResource, type Resource } from '@doorplate/aadp-server'
import { entityIdOf } from '../routes.js'

const UPDATED_AT = '2026-01-01T00:00:00Z'

/** As many records as are asked for, to see what happens with many: the same at every start, and none is kept. */
export function generatedRecords(count: number): Resource<number> {
  return defineResource<number>({
    type: 'record',
    mediaTypes: ['text'],
    count,
    list({ cursor, limit }) {
      const first = cursor === null ? 0 : (numberIn(cursor, count) ?? count - 1) + 1
      const items = Array.from({ length: Math.min(limit, count - first) }, (_, place) => first + place)
      const end = first + items.length
      return { items, nextCursor: end < count ? nameOf(end - 1) : null }
    },
    get: ({ id }) => numberIn(id, count),
    identify: (number) => ({ name: nameOf(number), updatedAt: UPDATED_AT }),
    serialize: (number) => ({
      id: entityIdOf({ type: 'record', slug: nameOf(number) }),
      updatedAt: UPDATED_AT,
      data: { title: `Record ${String(number)}`, number, square: number * number, is_even: number % 2 === 0 },
    }),
  })
}

function nameOf(number: number): string {
  return `r${String(number).padStart(7, '0')}`
}

function numberIn(name: string, count: number): number | undefined {
  const [, digits] = /^r(\d{7})$/.exec(name) ?? []
  return digits !== undefined && Number(digits) < count ? Number(digits) : undefined
}
