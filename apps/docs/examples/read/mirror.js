import { syncEntities } from '@doorplate/aadp-client'
import { createSqliteStore } from '@doorplate/aadp-client/sqlite'
import { createSafeFetch } from '@doorplate/safe-fetch'

const [origin = 'http://127.0.0.1:4870', file = 'mirror.db'] = process.argv.slice(2)
const fetch = createSafeFetch({ dangerouslyAllow: [new URL(origin).host] })
const store = createSqliteStore(file)

const sync = syncEntities(origin, { store, fetch, onError: 'skip' })
for await (const event of sync) {
  if (event.kind === 'unchanged') console.log(event.count, 'unchanged')
  else console.log(event.kind, event.id)
}
console.log(sync.summary.requests, 'requests')
store.close()
await fetch.close()
