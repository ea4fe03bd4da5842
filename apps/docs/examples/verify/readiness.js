import { checkReadiness } from '@doorplate/agent-discovery/readiness'
import { exitCodeFor, renderTextReport } from '@doorplate/conformance-kit'
import { createSafeFetch } from '@doorplate/safe-fetch'

const site = process.argv[2] ?? 'http://127.0.0.1:4870'
const fetch = createSafeFetch({ dangerouslyAllow: [new URL(site).host] })

const report = await checkReadiness(site, { fetch })
console.log(renderTextReport(report, { color: false, quiet: true }))
process.exitCode = exitCodeFor(report)
await fetch.close()
