export { createBullQueue } from './queues/bull-queue.js'
export type { BullQueue, BullQueueOptions } from './queues/bull-queue.js'
