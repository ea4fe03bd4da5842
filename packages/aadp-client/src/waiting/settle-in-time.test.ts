import { expect, it } from 'vitest'
import { settleInTime } from './settle-in-time.js'

const late = (): Error => new Error('late')

it('rejects with the reason of a signal that is aborted already, and takes care of the promise', async () => {
  const failing = Promise.reject(new Error('of the promise'))
  const limits = { signal: AbortSignal.abort('enough'), timeoutMs: Infinity, late }
  await expect(settleInTime(failing, limits)).rejects.toBe('enough')
  await new Promise(setImmediate) // A rejection that nobody handles would be reported by now.
})

it('gives what the promise gives in time, and is late after that', async () => {
  const limits = { signal: undefined, timeoutMs: 20, late }
  expect(await settleInTime(Promise.resolve(1), limits)).toBe(1)
  await expect(settleInTime(new Promise(() => undefined), limits)).rejects.toThrow('late')
})
