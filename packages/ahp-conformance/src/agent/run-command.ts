import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { AgentTask } from './station.js'

/** How a command ended. */
export interface CommandEnd {
  /** What went wrong, in a sentence. */
  readonly problem?: string
  /** The beginning of what it wrote to stderr. */
  readonly said: string
}

/** Of stderr, in UTF-16 code units. */
const MAX_SAID = 2_000

/** What a child that outlives the command may still write is not waited for. */
const REST_MS = 100

export interface RunCommandOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/**
 * Runs a command of the shell for one task, told by the variables `AHP_URL`, `AHP_CAPABILITY`, `AHP_QUERY` and `AHP_TOKEN`,
 * and waits for its end; it is ended when the time is over. It is judged by its requests: how it ends is only told, for
 * those who wonder why there are none.
 */
export async function runCommand(
  command: string,
  task: AgentTask,
  { timeoutMs, signal }: RunCommandOptions,
): Promise<CommandEnd> {
  if (signal.aborted) return { said: '' }
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
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
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < MAX_SAID) said += text.slice(0, MAX_SAID - said.length)
  })
  signal.addEventListener('abort', end)
  const problem = await new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(() => {
      end()
      resolve(`did not end within ${timeoutMs} ms`)
    }, timeoutMs)
    child.once('error', () => {
      clearTimeout(timer)
      resolve('cannot be run')
    })
    child.once('exit', (code, killer) => {
      clearTimeout(timer)
      const ended = code === null ? `was ended by ${String(killer)}` : `ended with ${code}`
      resolve(code === 0 ? undefined : ended)
    })
  })
  await restOf(child.stderr)
  signal.removeEventListener('abort', end)
  return problem === undefined || isAborted(signal) ? { said } : { problem: `The command ${problem}.`, said }
}

/** Asked again after a wait, it may be. */
function isAborted({ aborted }: AbortSignal): boolean {
  return aborted
}

/** Until all that was written has come, or nearly. */
async function restOf(stderr: Readable): Promise<void> {
  const timer = setTimeout(() => stderr.destroy(), REST_MS)
  if (!stderr.closed) await once(stderr, 'close').catch(() => undefined)
  clearTimeout(timer)
}
