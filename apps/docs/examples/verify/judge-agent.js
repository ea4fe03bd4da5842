import { exitCodeFor, runAgentConformance } from '@doorplate/ahp-conformance'
import { visit } from '@doorplate/ahp-converse/client'
import { createSafeFetch } from '@doorplate/safe-fetch'

const report = await runAgentConformance(async ({ url, capability, query, credential }) => {
  const fetch = createSafeFetch({ dangerouslyAllow: ['127.0.0.1'] })
  const site = await visit(url, { fetch, ...(credential && { credential }) })
  if (site.capabilities.length === 0) await site.readContent()
  else {
    let reply = await site.ask(capability, query)
    if (reply.status === 'clarification_needed') reply = await reply.reply(reply.options[0] ?? 'any')
    if (reply.status === 'accepted') await reply.wait()
  }
  await fetch.close()
})
for (const { status, id, title } of report.checks) console.log(status, id, title)
process.exitCode = exitCodeFor(report)
