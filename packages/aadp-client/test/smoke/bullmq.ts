import { createBullQueue } from '@doorplate/aadp-client/bullmq'

export function smoke(): boolean {
  return typeof createBullQueue === 'function'
}
