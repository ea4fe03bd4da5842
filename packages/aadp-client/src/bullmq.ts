export { createBullQueue } from './bull-queue.js'
export type { BullQueue, BullQueueOptions } from './bull-queue.js'
