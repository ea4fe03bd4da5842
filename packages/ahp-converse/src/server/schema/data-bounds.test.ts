import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { boundsFor } from './data-bounds.js'
import { createDataSchema, type SchemaOption } from './data-schema.js'
import type { JsonSchema } from './json-schema.js'

/** Each alternative has members of its own, and contains the whole again. */
const EXPRESSION: JsonSchema = {
  type: 'object',
  oneOf: [
    { properties: { op: { const: 'not' }, of: { $ref: '#' } }, required: ['op'] },
    { properties: { op: { const: 'same' }, of: { $ref: '#' } }, required: ['op'] },
  ],
}
const TREE: JsonSchema = {
  type: 'object',
  properties: { left: { anyOf: [{ $ref: '#' }, { type: 'null' }] }, right: { $ref: '#' } },
}

interface Expression {
  op: string
  of?: Expression | undefined
}
const Not: z.ZodType<Expression> = z.object({
  op: z.literal('not'),
  get of() {
    return Either.optional()
  },
})
const Same: z.ZodType<Expression> = z.object({
  op: z.literal('same'),
  get of() {
    return Either.optional()
  },
})
const Either: z.ZodType<Expression> = z.union([Not, Same])

function nested(depth: number): Expression {
  return depth === 1 ? { op: 'wrong' } : { op: 'not', of: nested(depth - 1) }
}

describe('what would take for ever to check', () => {
  it.each<[string, SchemaOption]>([
    ['a JSON Schema', EXPRESSION],
    ['a library', z.object({ of: Either })],
  ])('is no question to %s of itself: data that is nested too deeply', async (_what, schema) => {
    const input = createDataSchema('inputSchema', schema, 'input')
    const deep = { op: 'not', of: nested(60) }
    expect(JSON.stringify(await input.check(deep))).toMatch(
      /^\{"issues":\["must be nested at most \d+ levels deep"\]\}$/,
    )
    const verdict = await input.check({ op: 'not', of: { op: 'same', of: { op: 'not' } } })
    expect(verdict).toHaveProperty('value')
  })

  it('is not nested data that each part of the schema looks at once', async () => {
    expect(boundsFor(TREE).maxDepth).toBe(Infinity)
    let data: object = {}
    for (let depth = 0; depth < 60; depth++) data = { left: data, right: {} }
    expect(await createDataSchema('inputSchema', TREE, 'input').check(data)).toHaveProperty('value')
  })

  it('is a long list whose items must differ', async () => {
    const list = (uniqueItems: boolean): SchemaOption => ({
      type: 'object',
      properties: { n: { type: 'array', uniqueItems } },
    })
    const items = Array.from({ length: 1001 }, (_, index) => index)
    const unique = createDataSchema('inputSchema', list(true), 'input')
    expect(await unique.check({ n: items })).toEqual({ issues: ['a list must have at most 1000 items'] })
    expect(await unique.check({ n: items.slice(1) })).toHaveProperty('value')
    expect(await createDataSchema('inputSchema', list(false), 'input').check({ n: items })).toHaveProperty(
      'value',
    )
  })
})
