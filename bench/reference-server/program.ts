import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ServerProcess } from '../src/server-process.js'

const PROGRAM = fileURLToPath(new URL('../../apps/reference-server/dist/main.js', import.meta.url))
/** No limit is met, and no request has a line in the log. */
const PLENTY = Object.fromEntries(
  ['READ', 'ASK', 'ACTION', 'TOKEN_READ', 'TOKEN_ASK'].map((name) => [`${name}_LIMIT`, '999999999/day']),
)
const TICK_MS = 10

export interface Program extends ServerProcess {
  /** Memory in use, MB; NaN where the system does not tell. */
  residentMb(): number
  /** Resolves when it is gone. */
  end(): Promise<void>
}

/** The built reference server as a process of its own. Build it first. */
export async function startProgram(options: { folder: string; records?: number }): Promise<Program> {
  const args = [PROGRAM, '--port', '0', '--data-dir', options.folder, '--log-level', 'warn']
  const child = spawn(process.execPath, [...args, '--records', String(options.records ?? 0)], {
    env: { ...process.env, ...PLENTY },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let port = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /Open\s+(http:\S+)/.exec(line)?.[1]
    if (url === undefined) continue
    port = Number(new URL(url).port)
    break
  }
  child.stdout.resume()
  const pid = String(child.pid)
  return {
    name: 'reference server',
    port,
    cpuMs: () => Promise.resolve(cpuMsOf(pid)),
    heapUsed: () => Promise.resolve(NaN),
    stop: () => child.kill(),
    residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(statusOf(pid))?.[1] ?? NaN) / 1024,
    async end() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

function cpuMsOf(pid: string): number {
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

function statusOf(pid: string): string {
  return read(`/proc/${pid}/status`)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
