import { bytes } from './summary-table.js'

export interface Progress {
  /** Entities dealt with. */
  readonly done: number
  /** Entities announced, as far as known. */
  readonly total: number | undefined
  readonly bytes: number
  readonly elapsedMs: number
}

const WIDTH = 24

/** One line that shows how far a run is: entities, bytes, rate and, when the site announces its number, the time left. */
export function progressLine({ done, total, bytes: received, elapsedMs }: Progress): string {
  const rate = elapsedMs > 0 ? (done * 1_000) / elapsedMs : 0
  const facts = `${bytes(received)}  ${rate.toFixed(0)}/s`
  if (total === undefined || total < done || total === 0) return `${done} entities  ${facts}`
  const filled = Math.floor((WIDTH * done) / total)
  const left = rate > 0 ? `  ${Math.ceil((total - done) / rate)} s left` : ''
  return `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${done}/${total}  ${facts}${left}`
}
