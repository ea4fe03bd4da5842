import { createBullWorker } from '@doorplate/ahp-converse/bullmq'

export function smoke(): boolean {
  return typeof createBullWorker === 'function'
}
