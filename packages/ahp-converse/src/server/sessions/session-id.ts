const ID_BYTES = 16
const POOLED_IDS = 256
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Fills the bytes with unpredictable ones. */
export type RandomBytes = (bytes: Uint8Array<ArrayBuffer>) => unknown

/** Makes ids of 128 bits, as hexadecimal digits. Draws randomness for many at once: one at a time costs ten times as much. */
export function createIdSource(random: RandomBytes): () => string {
  const pool = new Uint8Array(ID_BYTES * POOLED_IDS)
  let used = pool.length
  return () => {
    if (used === pool.length) {
      random(pool)
      used = 0
    }
    let id = ''
    for (const end = used + ID_BYTES; used < end; used++) id += HEX[pool[used] ?? 0] ?? ''
    return id
  }
}
