import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@internal/loopback'

const EXAMPLES = join(import.meta.dirname, '../examples')

export interface RunningExample extends AsyncDisposable {
  readonly origin: string
}

/** What a program prints; one that ends with another code than 0 rejects. */
export async function outputOf(example: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(EXAMPLES, example), ...args])
  return stdout.trim()
}

export interface StartOptions {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The folder that it writes to. Default: that of the tests. */
  readonly cwd?: string
}

/** Starts a program that listens on `PORT` and says when it is ready. */
export async function startExample(example: string, options: StartOptions = {}): Promise<RunningExample> {
  const { args = [], env, cwd } = options
  const port = await freePort()
  const child = spawn(process.execPath, [join(EXAMPLES, example), ...args], {
    env: { ...process.env, ...env, PORT: String(port) },
    ...(cwd !== undefined && { cwd }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const first = await Promise.race([once(child.stdout, 'data'), exited.then(() => undefined)])
  if (first === undefined) throw new Error(`${example} ended before it was ready`)
  return {
    origin: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
