const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'

/**
 * @param {string} _order
 * @param {string | undefined} _idempotencyKey
 */
async function placeOrder(_order, _idempotencyKey) {
  return { answer: 'Ordered.', output: {} }
}

// #region queue
// where visitors are answered
import { createBullAnswerer } from '@doorplate/ahp-converse/bullmq'

const orders = createBullAnswerer({ connection: { url }, name: 'orders' })
export const capability = { actionType: 'action', restartable: true, answer: orders.answer }

// where the work is done
import { createBullWorker } from '@doorplate/ahp-converse/bullmq'

const worker = createBullWorker(({ query, idempotencyKey }) => placeOrder(query, idempotencyKey), {
  connection: { url },
  name: 'orders',
})
// #endregion queue

export const close = () => Promise.all([orders.close(), worker.close()])
