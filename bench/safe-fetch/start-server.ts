import { fork } from 'node:child_process'
import { once } from 'node:events'

export interface RunningServer extends AsyncDisposable {
  readonly origin: string
  readonly host: string
  /** Connections open at the moment, idle ones included. */
  countConnections(): Promise<number>
}

/** Starts the server in a process of its own. */
export async function startServer(): Promise<RunningServer> {
  const child = fork(new URL('./server.ts', import.meta.url), [], { execArgv: ['--import', 'tsx'] })
  const [port] = (await once(child, 'message')) as [number]
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    host: `127.0.0.1:${String(port)}`,
    async countConnections() {
      child.send('count')
      const [count] = (await once(child, 'message')) as [number]
      return count
    },
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}
