import { expect, test } from 'vitest'
import {
  AadpServerError,
  forbidden,
  invalidRequest,
  isAadpServerError,
  notFound,
  rateLimited,
  unauthorized,
  unsupportedType,
  upstreamUnavailable,
} from './server-error.js'

test.each([
  [notFound, 404, 'not_found'],
  [unsupportedType, 404, 'unsupported_type'],
  [invalidRequest, 400, 'invalid_request'],
  [unauthorized, 401, 'unauthorized'],
  [forbidden, 403, 'forbidden'],
  [rateLimited, 429, 'rate_limited'],
  [upstreamUnavailable, 502, 'upstream_unavailable'],
] as const)('%o makes an error with its status and code', (create, status, code) => {
  const cause = new Error('inside')
  const error = create('Because.', { cause })
  expect(error).toMatchObject({ name: 'AadpServerError', status, code, message: 'Because.', cause })
  expect(create().message).not.toBe('')
})

test.each([
  ['Not_Found', 404, 'm', {}],
  ['', 404, 'm', {}],
  [undefined as unknown as string, 404, 'm', {}],
  ['a', 404, undefined as unknown as string, {}],
  ['a', 200, 'm', {}],
  ['a', 600, 'm', {}],
  ['a', 404.5, 'm', {}],
  ['a', 404, '', {}],
  ['a', 404, 'm', { retryAfterSeconds: -1 }],
  ['a', 404, 'm', { retryAfterSeconds: 1.5 }],
  ['a', 404, 'm', { wwwAuthenticate: 'Bearer\r\nSet-Cookie: a=b' }],
] as const)('%s %i "%s" %j cannot be sent', (code, status, message, options) => {
  expect(() => new AadpServerError(code, status, message, options)).toThrow(RangeError)
})

test('the guard knows an error of another copy of this package', () => {
  expect(
    isAadpServerError(
      Object.assign(new Error('x'), { [Symbol.for('@doorplate/aadp-server/server-error')]: true }),
    ),
  ).toBe(true)
  expect(isAadpServerError(new Error('x'))).toBe(false)
  expect(isAadpServerError(null)).toBe(false)
})
