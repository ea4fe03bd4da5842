import { expect, it } from 'vitest'
import { RunEnd } from './run-end.js'

function timersThatKeepTheProcess(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
}

it('keeps the process only while somebody waits', async () => {
  const before = timersThatKeepTheProcess()
  const end = new RunEnd(60_000, undefined)
  expect(timersThatKeepTheProcess()).toBe(before)
  let finish = (): void => undefined
  const waiting = end.before(() => new Promise<void>((resolve) => (finish = resolve)))
  expect(timersThatKeepTheProcess()).toBe(before + 1)
  finish()
  await waiting
  expect(timersThatKeepTheProcess()).toBe(before)
  end.close()
})
