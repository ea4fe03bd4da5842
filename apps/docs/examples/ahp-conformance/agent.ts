// #region agent
import { runAgentConformance } from '@doorplate/ahp-conformance'
// #endregion agent
import type { ConformanceReport } from '@doorplate/ahp-conformance'

interface MyAgent {
  ask(url: string, options: { capability: string; query: string; token?: string | undefined }): Promise<void>
}

export async function judge(myAgent: MyAgent): Promise<ConformanceReport> {
  // #region agent
  const report = await runAgentConformance(async ({ url, capability, query, credential }) => {
    await myAgent.ask(url, { capability, query, token: credential })
  })
  // #endregion agent
  return report
}
