import { discover } from '@doorplate/agent-discovery'
import { createSafeFetch } from '@doorplate/safe-fetch'

const site = process.argv[2] ?? 'http://127.0.0.1:4870'
const fetch = createSafeFetch({ dangerouslyAllow: [new URL(site).host] })

const { resources, rejected, budget } = await discover(site, { fetch })
for (const { state, kind, url } of resources) console.log(state, kind, url)
console.log(`${rejected.length} rejected, ${budget.requests} requests`)
await fetch.close()
