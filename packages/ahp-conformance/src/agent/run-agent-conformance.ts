import type { ConformanceReport, RunOptions } from '@doorplate/conformance-kit'
import { openAgentTrial, type AgentTrialOptions } from './agent-trial.js'
import type { AgentTask } from './station.js'

/** Options of `runAgentConformance`. */
export interface RunAgentConformanceOptions
  extends AgentTrialOptions, Pick<RunOptions, 'only' | 'skip' | 'failOnWarning' | 'onCheck'> {}

/**
 * Has an agent do the tasks of a trial one after the other, and judges what it did. An agent may fail at a task: what
 * counts is what it has sent, so what `agent` throws is passed over.
 *
 * @param agent visits `task.url`, asks `task.capability` the question `task.query`, replies to a question back, waits for
 *   an answer that comes late, and reads the content where nothing can be asked
 * @throws {AhpConformanceError} `invalid_option`, `cannot_listen`
 */
export async function runAgentConformance(
  agent: (task: AgentTask) => unknown,
  options: RunAgentConformanceOptions = {},
): Promise<ConformanceReport> {
  const { only, skip, failOnWarning, onCheck, ...trialOptions } = options
  const trial = await openAgentTrial(trialOptions)
  try {
    for (const task of trial.tasks) {
      try {
        await agent(task)
      } catch {
        // It is judged by its requests.
      }
    }
    return await trial.judge({
      ...(only && { only }),
      ...(skip && { skip }),
      ...(failOnWarning !== undefined && { failOnWarning }),
      ...(onCheck && { onCheck }),
    })
  } finally {
    await trial.close()
  }
}
