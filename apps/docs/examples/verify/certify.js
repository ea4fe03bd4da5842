import { exitCodeFor, renderTextReport, runConformance } from '@doorplate/aadp-conformance'

const site = process.argv[2] ?? 'http://127.0.0.1:4870'
const report = await runConformance(site, { allowPrivateNetwork: true, entities: 'all' })
console.log(renderTextReport(report, { color: false, quiet: true }))
process.exitCode = exitCodeFor(report)
