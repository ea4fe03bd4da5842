import { discover } from '@doorplate/agent-discovery'

const { resources, rejected, budget } = await discover('https://example.com/')
for (const { state, kind, url, reasons } of resources) console.log(state, kind, url, reasons)
