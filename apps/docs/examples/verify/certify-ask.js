import { exitCodeFor, renderTextReport, runConformance } from '@doorplate/ahp-conformance'

const site = process.argv[2] ?? 'http://localhost:3000'
const report = await runConformance(site, { allowPrivateNetwork: true, profile: 'mode2' })
console.log(renderTextReport(report, { color: false, quiet: true }))
process.exitCode = exitCodeFor(report)
