import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from './free-port.js'

const PROGRAM = 'redis-server'

/** Whether a Redis can be started here. */
export const hasRedis: boolean = spawnSync(PROGRAM, ['--version']).status === 0

export interface RedisServer extends AsyncDisposable {
  readonly port: number
  readonly url: string
}

export interface RedisServerOptions {
  /** Where it writes every command before it answers. Default: it keeps nothing on disk. */
  readonly folder?: string
  /** Default: a free one. */
  readonly port?: number
}

/** A Redis of its own. To end it more than once does no harm. */
export async function startRedis({ folder, port: wanted }: RedisServerOptions = {}): Promise<RedisServer> {
  const port = wanted ?? (await freePort())
  const disk =
    folder === undefined
      ? ['--appendonly', 'no']
      : ['--appendonly', 'yes', '--appendfsync', 'always', '--dir', folder]
  const child = spawn(PROGRAM, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', ...disk], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // A test whose time is over ends nothing.
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  for await (const chunk of child.stdout) if (String(chunk).includes('Ready to accept connections')) break
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      kill()
      await gone
      process.off('exit', kill)
    },
  }
}
