import { spawn } from 'node:child_process'
import type { AgentTask } from './station.js'

export interface RunCommandOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/**
 * Runs a command of the shell for one task, told by the variables `AHP_URL`, `AHP_CAPABILITY`, `AHP_QUERY` and `AHP_TOKEN`,
 * and waits for its end; it is ended when the time is over. What it prints and how it ends is of no concern.
 */
export async function runCommand(
  command: string,
  task: AgentTask,
  { timeoutMs, signal }: RunCommandOptions,
): Promise<void> {
  if (signal.aborted) return
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: 'ignore',
    env: {
      ...process.env,
      AHP_URL: task.url,
      AHP_CAPABILITY: task.capability,
      AHP_QUERY: task.query,
      AHP_TOKEN: task.credential,
    },
  })
  // The shell may have children of its own: the whole group is ended.
  const end = (): void => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
  const timer = setTimeout(end, timeoutMs)
  signal.addEventListener('abort', end)
  await new Promise<void>((resolve) => {
    child.once('error', () => {
      resolve()
    })
    child.once('exit', () => {
      resolve()
    })
  })
  clearTimeout(timer)
  signal.removeEventListener('abort', end)
}
