import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Fifo } from './fifo.js'

describe('Fifo', () => {
  it('behaves like an array', () => {
    const step = fc.oneof(fc.nat(), fc.constantFrom('shift', 'clear', 'cut'))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 1_000, size: 'max' }), (steps) => {
        const fifo = new Fifo<number>()
        const array: number[] = []
        for (const one of steps) {
          if (typeof one === 'number') {
            fifo.push(one)
            array.push(one)
          } else if (one === 'shift') {
            expect(fifo.shift()).toBe(array.shift())
          } else if (one === 'cut') {
            const item = array.at(-1)
            if (item !== undefined) {
              array.length = array.indexOf(item)
              fifo.cutAt(item)
            }
          } else if (steps.length % 7 === 0) {
            fifo.clear()
            array.length = 0
          }
          expect(fifo.size).toBe(array.length)
          expect(fifo.peek()).toBe(array[0])
        }
      }),
    )
  })

  it('keeps nothing alive that has left, however long it is used', () => {
    const fifo = new Fifo<number>()
    for (let count = 0; count < 100_000; count++) {
      fifo.push(count)
      fifo.push(count)
      fifo.shift()
      if (fifo.size > 10) fifo.shift()
    }
    expect(fifo.size).toBeLessThanOrEqual(11)
    expect(fifo.shift()).toBeGreaterThan(99_990)
  })
})
