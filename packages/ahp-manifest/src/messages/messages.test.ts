import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadDocumentVectors, projectRoot } from '@internal/vectors'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  ERROR_STATUS,
  isAhpMessageError,
  parseRequest,
  parseResponse,
  validatePayload,
  validateRequest,
  validateResponse,
  type ConverseResponse,
  type FeedPayload,
  type Payloads,
  type SuccessResponse,
} from '../messages.js'

describe('validateResponse', () => {
  const success = (contentType: string, payload?: object): object => ({
    status: 'success',
    response: { answer: 'Here.', content_type: contentType, ...(payload === undefined ? {} : { payload }) },
  })

  it('judges the payload of a registered type, at its place', () => {
    expect(validateResponse(success('application/feed', { items: [] })).valid).toBe(true)
    const { valid, issues } = validateResponse(success('application/feed', { items: [{ title: 'Dune' }] }))
    expect(valid).toBe(false)
    expect(issues).toMatchObject([
      { path: '/response/payload/items/0/url', code: 'required', rule: 'AHP01-PAY-009' },
    ])
    expect(validateResponse(success('media/image')).issues).toMatchObject([{ path: '/response/payload' }])
  })

  it('judges no payload of other types', () => {
    expect(validateResponse(success('x-shelf/card', { anything: 1 })).valid).toBe(true)
    expect(validateResponse(success('text/answer')).valid).toBe(true)
    expect(validatePayload('constructor', 1).valid).toBe(true)
  })
})

describe('parseRequest', () => {
  it('holds nothing but checked members, from whatever body', () => {
    const bases = loadDocumentVectors('0.1', 'request', 'ahp').map(({ data }) => data)
    const bodies = fc.oneof(
      fc.jsonValue(),
      fc
        .tuple(
          fc.constantFrom(...bases),
          fc.dictionary(fc.constantFrom('query', 'context', 'session_id', 'extra', 'input'), fc.jsonValue()),
        )
        .map(([base, change]) =>
          typeof base === 'object' && base !== null ? { ...base, ...change } : change,
        ),
    )
    fc.assert(
      fc.property(bodies, (body) => {
        try {
          const { input, auth: _, capability, ahp: __, ...request } = parseRequest(body)
          expect(typeof capability).toBe('string')
          expect(input === undefined || (typeof input === 'object' && !Array.isArray(input))).toBe(true)
          const { accept_types: ___, ...context } = request.context
          expect(validateRequest({ ...request, capability: 'a', context }).issues).toEqual([])
        } catch (error) {
          if (!isAhpMessageError(error)) throw error
          expect(['missing_field', 'invalid_request']).toContain(error.code)
          expect(error.issues.length).toBeGreaterThan(0)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('does not look up the prototype', () => {
    const inherited = Object.create({ query: 'inherited' }) as Record<string, unknown>
    inherited['capability'] = 'a'
    expect(() => parseRequest(inherited)).toThrow(expect.objectContaining({ code: 'missing_field' }) as Error)
    const body: unknown = JSON.parse(
      '{"capability":"a","query":"q","__proto__":{"auth":"x"},"context":{"__proto__":{"locale":"x"}}}',
    )
    expect(parseRequest(body)).toEqual({ capability: 'a', query: 'q', context: {} })
  })

  it('says where the fault is, and never what the body holds', () => {
    expect(() => parseRequest({ capability: 'a', query: ['SECRET'] })).toThrow(
      '/query: Must be of type string.',
    )
  })
})

describe('parseResponse', () => {
  it('gives a response that is valid, from whatever document', () => {
    const bases = loadDocumentVectors('0.1', 'response', 'ahp').map(({ data }) => data)
    const documents = fc.oneof(
      fc.jsonValue(),
      fc
        .tuple(
          fc.constantFrom(...bases),
          fc.dictionary(
            fc.constantFrom('session_id', 'meta', 'response', 'clarification', 'progress', 'code'),
            fc.jsonValue(),
          ),
        )
        .map(([base, change]) =>
          typeof base === 'object' && base !== null ? { ...base, ...change } : change,
        ),
    )
    fc.assert(
      fc.property(documents, (document) => {
        try {
          const { response, warnings } = parseResponse(document)
          const issues = validateResponse(response).issues.filter(
            ({ path }) => !/^\/response\/(?:answer$|payload)/.test(path),
          )
          expect(issues).toEqual([])
          expect(warnings.every(({ level }) => level === 'warning')).toBe(true)
        } catch (error) {
          if (!isAhpMessageError(error)) throw error
          expect(error.code).toBe('invalid_response')
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('keeps a payload that breaks its schema, and warns', () => {
    const document = {
      status: 'success',
      response: { answer: 'A', content_type: 'application/feed', payload: { items: 1 } },
    }
    const { response, warnings } = parseResponse(document)
    expect(response).toEqual(document)
    expect(warnings).toMatchObject([{ path: '/response/payload/items', level: 'warning' }])
  })
})

it('ERROR_STATUS has the status that the specification gives to each code', () => {
  const text = readFileSync(join(projectRoot, 'spec/ahp/v0.1.md'), 'utf8')
  const rows = [...text.matchAll(/^\| (\d{3}) +\| (`.*`) +\|$/gm)]
  const codes = rows.flatMap(([, status, list = '']) =>
    [...list.matchAll(/`(\w+)`/g)].map(([, code = '']) => [code, Number(status)]),
  )
  expect(Object.fromEntries(codes)).toEqual(ERROR_STATUS)
})

describe('the types', () => {
  it('tell responses apart by status, and payloads by type', () => {
    expectTypeOf<Extract<ConverseResponse, { status: 'success' }>>().toEqualTypeOf<SuccessResponse>()
    expectTypeOf<ConverseResponse['status']>().toEqualTypeOf<
      'success' | 'clarification_needed' | 'accepted' | 'pending' | 'failed' | 'expired' | 'error'
    >()
    expectTypeOf<Payloads['application/feed']>().toEqualTypeOf<FeedPayload>()
    expectTypeOf<FeedPayload>().toExtend<NonNullable<SuccessResponse['response']['payload']>>()
  })
})
