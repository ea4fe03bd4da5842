import { syncEntities } from '@doorplate/aadp-client'
import { createSqliteStore } from '@doorplate/aadp-client/sqlite'

const store = createSqliteStore('./mirror.db')
const sync = syncEntities('https://books.example', { store, onError: 'skip' })
for await (const event of sync) {
  if (event.kind === 'unchanged') console.log(`${event.count} unchanged`)
  else console.log(event.kind, event.id)
}
store.close()
