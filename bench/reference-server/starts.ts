import { setTimeout as sleep } from 'node:timers/promises'
import { createSafeFetch } from '@doorplate/safe-fetch'
import type { Figure } from '../src/report.js'
import { startProgram } from './program.js'

const SETTLE_MS = 4000
const request = createSafeFetch({ dangerouslyAllow: ['127.0.0.0/8'] })

/** From nothing to the first answer, and what the program takes when nobody asks: medians. */
export async function measureStarts(folder: string, count: number): Promise<readonly Figure[]> {
  const startsMs: number[] = []
  const residentMb: number[] = []
  for (let start = 0; start <= count; start++) {
    const begin = performance.now()
    const program = await startProgram({ folder })
    const response = await request(`http://127.0.0.1:${String(program.port)}/.well-known/agent.json`)
    await response.text()
    const tookMs = performance.now() - begin
    await sleep(SETTLE_MS)
    const memory = program.residentMb()
    await program.end()
    // The first makes the data folder and warms the disk.
    if (start === 0) continue
    startsMs.push(tookMs)
    residentMb.push(memory)
  }
  return [
    { name: 'start to first answer', value: median(startsMs), unit: 'ms' },
    { name: 'resident when idle', value: median(residentMb), unit: 'MB' },
  ]
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}
