// Run by the kill test as a process of its own: node sync-and-log.js <origin> <store> <log>
import { appendFileSync } from 'node:fs'
import { syncEntities } from '@doorplate/aadp-client'
import { createSqliteStore } from '@doorplate/aadp-client/sqlite'
import { createSafeFetch } from '@doorplate/safe-fetch'

const [origin = '', path = '', log = ''] = process.argv.slice(2)
const store = createSqliteStore(path)
const fetch = createSafeFetch({ dangerouslyAllow: [new URL(origin).host] })
process.send?.('ready')
for await (const event of syncEntities(origin, { store, fetch })) {
  appendFileSync(log, `${JSON.stringify(event)}\n`)
}
await fetch.close()
store.close()
process.disconnect()
