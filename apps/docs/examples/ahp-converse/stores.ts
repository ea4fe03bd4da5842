// #region stores
import { createKeyvSessionStore, defineConcierge } from '@doorplate/ahp-converse/server'
import KeyvRedis, { createClient } from '@keyv/redis'
import { Keyv } from 'keyv'
import { RateLimiterRedis } from 'rate-limiter-flexible'
// #endregion stores
import { site } from './concierge-options.js'

const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'

// #region stores
const storeClient = await createClient({ url }).connect()
const keyv = new Keyv(new KeyvRedis(url), { throwOnErrors: true })

export const concierge = defineConcierge({
  ...site,
  limits: { store: new RateLimiterRedis({ storeClient, useRedisPackage: true, points: 1, duration: 1 }) },
  sessions: { store: createKeyvSessionStore(keyv) },
  cache: { store: keyv },
})
// #endregion stores

export const close = (): Promise<unknown> => Promise.all([storeClient.close(), keyv.disconnect()])
