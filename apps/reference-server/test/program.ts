import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { repository } from './project.js'

/** The built program as a process of its own, as often as is wanted, with one data folder. */
export interface Programs {
  /** `around` is a command that gets that of the program. */
  launch(
    environment?: Readonly<Record<string, string>>,
    args?: readonly string[],
    around?: readonly string[],
  ): ChildProcess
  /** Another program, ended with the rest. */
  keep(child: ChildProcess): ChildProcess
  /** Ends them all at once. */
  end(): void
}

export function createPrograms(folder: string): Programs {
  const children: ChildProcess[] = []
  function keep(child: ChildProcess): ChildProcess {
    children.push(child)
    return child
  }
  return {
    keep,
    launch(environment = {}, args = [], around = []) {
      const command = [...around, process.execPath, 'apps/reference-server/dist/main.js', ...args]
      return keep(
        spawn(command[0] ?? '', command.slice(1), {
          cwd: repository,
          env: {
            PATH: process.env['PATH'],
            HOST: '',
            PORT: '0',
            PUBLIC_URL: '',
            DATA_DIR: join(folder, 'data'),
            ...environment,
          },
        }),
      )
    },
    end() {
      for (const child of children) child.kill('SIGKILL')
    },
  }
}

export interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export async function outcome(child: ChildProcess): Promise<Outcome> {
  const [out, err] = [text(child.stdout!), text(child.stderr!)]
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out: await out, err: await err }
}

/** The address that it prints when it is ready. */
export async function untilReady(child: ChildProcess): Promise<string> {
  // A pipe that nobody reads stops whoever writes into it.
  child.stderr?.resume()
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /Open\s+(https?:\S+)/.exec(line)?.[1]
    if (url !== undefined) return url
  }
  throw new Error('it ended without printing its address')
}
