import { openSite } from './site.js'

/** Heap of a concierge over a million questions, each of a new visitor about something else: it must not grow for ever. */
const ROUNDS = 10
const QUESTIONS_PER_ROUND = 100_000

const site = await openSite({ kept: () => ({ answer: 'An answer of about the length of a sentence.' }) })
for (let round = 0; round <= ROUNDS; round++) {
  globalThis.gc?.()
  process.stdout.write(`${round * QUESTIONS_PER_ROUND} questions: ${process.memoryUsage().heapUsed} bytes\n`)
  if (round < ROUNDS) await askAll(round * QUESTIONS_PER_ROUND)
}

async function askAll(first: number): Promise<void> {
  for (let number = first; number < first + QUESTIONS_PER_ROUND; number++) {
    const address = [10, number >> 16, (number >> 8) & 255, number & 255].join('.')
    const request = { capability: 'kept', query: `Question ${number}` }
    const { status } = await site.converse({ request, caller: { address } })
    if (status !== 200) throw new Error(`A question was answered with ${status}.`)
  }
}
