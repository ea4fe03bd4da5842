import { expect, it } from 'vitest'

import { isSafeFetchError, SafeFetchError } from './errors.js'

it('an error is a TypeError with a name, a code and the fields it was given', () => {
  const cause = new Error('inner')
  const error = new SafeFetchError('response_too_large', 'Too long.', { limitBytes: 5, cause })
  expect(error).toBeInstanceOf(TypeError)
  expect(error).toMatchObject({ name: 'SafeFetchError', message: 'Too long.', limitBytes: 5, cause })
  expect(JSON.stringify(error)).toBe('{"code":"response_too_large","limitBytes":5}')
})

it('time limits and refusals have names of their own', () => {
  expect(new SafeFetchError('timeout', '').name).toBe('TimeoutError')
  expect(new SafeFetchError('connect_timeout', '').name).toBe('TimeoutError')
  expect(new SafeFetchError('blocked', '').name).toBe('BlockedError')
})

it('a refused address is readable but not serialised', () => {
  const error = new SafeFetchError('blocked', 'Refused.', { reason: 'address', blockedAddress: '10.0.0.1' })
  expect(error.blockedAddress).toBe('10.0.0.1')
  expect(JSON.stringify(error)).toBe('{"code":"blocked","reason":"address"}')
})

it('the guard knows an error of another installed copy, and nothing else', () => {
  const foreign = Object.assign(new Error('theirs'), { code: 'blocked' })
  expect(isSafeFetchError(foreign)).toBe(false)
  Object.defineProperty(foreign, Symbol.for('@doorplate/safe-fetch.error'), { value: true })
  expect(isSafeFetchError(foreign)).toBe(true)
  expect(isSafeFetchError(new SafeFetchError('timeout', ''))).toBe(true)
  for (const value of [undefined, null, 'blocked', { code: 'blocked' }, new TypeError('x'), () => 0]) {
    expect(isSafeFetchError(value)).toBe(false)
  }
})
