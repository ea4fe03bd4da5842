import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A contender in a process of its own. */
export interface ServerProcess {
  readonly name: string
  readonly port: number
  /** CPU time used so far. */
  cpuMs(): Promise<number>
  /** Bytes of heap in use after a garbage collection. */
  heapUsed(): Promise<number>
  stop(): void
}

/** Forks a program that calls `serveContender`; its first argument is the name. */
export async function startServer(
  program: URL,
  name: string,
  ...args: readonly string[]
): Promise<ServerProcess> {
  const child = fork(fileURLToPath(program), [name, ...args], {
    execArgv: ['--expose-gc', '--import', 'tsx'],
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`"${name}" ended before it served.`)
  })
  const [port] = (await Promise.race([once(child, 'message'), ended])) as [number]
  ended.catch(() => undefined)

  async function ask(question: 'cpuMs' | 'heapUsed'): Promise<number> {
    child.send(question)
    const [answer] = (await once(child, 'message')) as [number]
    return answer
  }

  return {
    name,
    port,
    cpuMs: () => ask('cpuMs'),
    heapUsed: () => ask('heapUsed'),
    stop: () => child.kill(),
  }
}
