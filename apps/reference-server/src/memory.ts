import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const SETTLE_MS = 1000

/**
 * Reading and indexing every document leaves tens of megabytes behind that are never used again, and V8 would keep room for as
 * much: it lets its young generation grow with what was allocated, and gives the memory back only under pressure. So it does not
 * grow while the program starts, and what was left behind is collected once. Returns what is to be called when all is ready.
 */
export function keepStartSmall(): () => void {
  growBy(1)
  return () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    setFlagsFromString('--no-expose-gc')
    growBy(2)
    setImmediate(() => {
      collect()
      // What the first one has emptied is given back by the second.
      setTimeout(() => {
        collect()
        // When many ask, it is to have its full size soon.
        growBy(8)
      }, SETTLE_MS).unref()
    })
  }
}

/** The factor by which the young generation grows when enough has survived in it. */
function growBy(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${String(factor)}`)
}
