import { discover } from '@doorplate/agent-discovery'

const { page, resources } = await discover('https://example.com/')
if (page.message !== undefined) console.error(page.message)
for (const { state, kind, url, reasons } of resources) console.log(state, kind, url, reasons)
