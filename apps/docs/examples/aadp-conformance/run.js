import { exitCodeFor, runConformance } from '@doorplate/aadp-conformance'

const report = await runConformance('http://127.0.0.1:9999', { timeoutMs: 2_000 })
console.log(report.status, exitCodeFor(report))
console.log(report.fatal?.code)
console.log(report.fatal?.message)
