import { AHP_VERSION } from '@doorplate/ahp-manifest'
import { visibleText, type ConformanceReport } from '@doorplate/conformance-kit'
import {
  given,
  UsageError,
  type CliOption,
  type CommandLine,
  type RunnerCli,
  type RunnerHooks,
  type RunnerPlan,
} from '@doorplate/conformance-kit/cli'
import { agentChecks } from './agent/agent-checks.js'
import { openAgentTrial, type AgentTrial } from './agent/agent-trial.js'
import { runCommand, type CommandEnd } from './agent/run-command.js'
import type { AgentTask } from './agent/station.js'
import { RUNNER } from './package-version.js'
import { requirementOf } from './requirements.js'

const OPTIONS: readonly CliOption[] = [
  {
    name: 'run',
    kind: 'text',
    value: '<command>',
    help: 'run this for each task, and judge; else wait for an interrupt',
  },
  { name: 'task-timeout', kind: 'integer', value: '<ms>', help: 'time for one such run (default 60000)' },
  { name: 'host', kind: 'text', value: '<address>', help: 'listen on this address (default 127.0.0.1)' },
  { name: 'port', kind: 'integer', value: '<n>', help: 'the first of the ports (default: free ones)' },
]

/** The command `ahp-conformance agent`: `print` shows people the tasks, and how a command ended. */
export function agentCli(print: (text: string) => unknown): RunnerCli {
  return {
    ...RUNNER,
    name: `${RUNNER.name} agent`,
    protocol: 'AHP',
    summary: 'Serves sites to a visiting agent, and judges what it does there.',
    informationUri: 'https://github.com/doorplate/doorplate/tree/main/packages/ahp-conformance#readme',
    usage: "[--run '<command>'] [options]",
    options: OPTIONS,
    plan: (line) => plan(line, print),
  }
}

function plan(line: CommandLine, print: (text: string) => unknown): RunnerPlan {
  if (line.positionals.length > 0) throw new UsageError('An agent has no base URL: it is told where to go.')
  return {
    protocolVersion: AHP_VERSION,
    checks: agentChecks,
    requirementOf,
    baseUrl: 'the visiting agent',
    run: (hooks) => runTrial(line, hooks, print),
  }
}

async function runTrial(
  line: CommandLine,
  hooks: RunnerHooks,
  print: (text: string) => unknown,
): Promise<ConformanceReport> {
  const command = line.text('run')
  const timeoutMs = line.integer('task-timeout') ?? 60_000
  const trial = await openAgentTrial(given({ host: line.text('host'), port: line.integer('port') }))
  try {
    if (command === undefined) await showTasks(trial, hooks.signal, print)
    else
      for (const task of trial.tasks)
        print(told(task, await runCommand(command, task, { timeoutMs, signal: hooks.signal })))
    const { only, skip, failOnWarning, onCheck } = hooks
    return await trial.judge({ ...given({ only, skip }), failOnWarning, onCheck })
  } finally {
    await trial.close()
  }
}

/** How the command ended at a task, in lines that a terminal may show. */
function told({ station }: AgentTask, { problem, said }: CommandEnd): string {
  const lines = [problem, ...said.split(/\r?\n/)].filter((line) => line !== undefined && line !== '')
  return lines.map((line) => `${station}: ${visibleText(line ?? '')}\n`).join('')
}

/** Until the first interrupt, which is the sign that the agent has done its tasks. */
async function showTasks(
  { tasks }: AgentTrial,
  signal: AbortSignal,
  print: (text: string) => unknown,
): Promise<void> {
  print('Have the agent do these tasks, each at its own site, then interrupt (Ctrl-C) for the verdicts.\n')
  print(`Its bearer token for all of them: ${tasks[0]?.credential ?? ''}\n\n`)
  for (const { url, capability, query } of tasks) print(`  ${url}  ask ${capability}: ${query}\n`)
  print(
    '\nIt replies to a question back, waits for what comes late, and reads the content where it cannot ask.\n',
  )
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => {
      resolve()
    })
  })
}
