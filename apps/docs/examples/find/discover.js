import { discover } from '@doorplate/agent-discovery'
import { createSafeFetch } from '@doorplate/safe-fetch'

const site = process.argv[2] ?? 'http://127.0.0.1:4870'
const fetch = createSafeFetch({ dangerouslyAllow: [new URL(site).host] })

const { page, finalUrl, resources, rejected, budget } = await discover(site, { fetch })
console.log(page.state, page.message ?? finalUrl)
for (const { state, kind, url } of resources) console.log(state, kind, url)
console.log(`${rejected.length} rejected, ${budget.requests} requests`)
await fetch.close()
if (page.state === 'error') process.exitCode = 2
