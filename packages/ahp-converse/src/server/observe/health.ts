import { invalidOption } from '../../converse-error.js'
import { checkFunction, checkWhole, isRecord, MAX_TIMEOUT_MS } from '../check-option.js'
import { checkPath } from '../check-path.js'
import type { OpenFace } from '../face.js'
import { sendJson } from '../send.js'
import { checkMembers } from '../state-options.js'

/** Fails by throwing, or by giving false. */
export type HealthCheck = () => unknown

/** Where and how a site says whether it works. */
export interface HealthOptions {
  /** Says that the process runs. Default: `/health/live`. */
  readonly livePath?: string
  /** Says whether it can answer: 200, or 503 while a check fails and after `close`. Default: `/health/ready`. */
  readonly readyPath?: string
  /** What must work besides the stores of sessions and jobs, by name. */
  readonly checks?: Readonly<Record<string, HealthCheck>>
  /** Longest wait for a check, milliseconds. Default: 2,000. */
  readonly timeoutMs?: number
}

/** Whether a site can answer, check by check. */
export interface Readiness {
  readonly status: 'ok' | 'failing'
  readonly checks: Readonly<Record<string, 'ok' | 'failing'>>
}

export interface Health {
  /** Asked at most once a second, however often it is called. */
  ready(): Promise<Readiness>
  readonly face: OpenFace
  /** From now on it is not ready. */
  close(): void
}

export interface HealthParts {
  /** Those of the site's own stores. */
  readonly checks: Readonly<Record<string, HealthCheck>>
  readonly onFailure: (error: unknown) => void
  readonly now: () => number
}

const IS_FRESH_MS = 1000
const READING = 'GET, HEAD, OPTIONS'

/** Liveness and readiness for orchestrators, without rate limits: what they cost does not grow with how often they are asked. */
export function createHealth(options: HealthOptions, parts: HealthParts): Health {
  checkMembers('health', options, ['livePath', 'readyPath', 'checks', 'timeoutMs'])
  const livePath = checkPath('health.livePath', options.livePath ?? '/health/live')
  const readyPath = checkPath('health.readyPath', options.readyPath ?? '/health/ready')
  const timeoutMs = checkWhole('health.timeoutMs', options.timeoutMs ?? 2000, 1, MAX_TIMEOUT_MS)
  const checks = Object.entries({ ...parts.checks, ...checksIn(options) })
  let isClosed = false
  let last: { readonly at: number; readonly result: Promise<Readiness> } | undefined

  return {
    ready,
    close() {
      isClosed = true
      last = undefined
    },
    face: {
      methodsAt: (path) => (path === livePath || path === readyPath ? READING : undefined),
      async respond({ path }) {
        if (path === livePath) return sendJson(200, {}, { status: 'ok' })
        const readiness = await ready()
        return sendJson(readiness.status === 'ok' ? 200 : 503, {}, readiness)
      },
    },
  }

  function ready(): Promise<Readiness> {
    const at = parts.now()
    if (last === undefined || Math.abs(at - last.at) >= IS_FRESH_MS) last = { at, result: judge() }
    return last.result
  }

  async function judge(): Promise<Readiness> {
    const results = await Promise.all(
      checks.map(async ([name, check]) => [name, await holds(check)] as const),
    )
    const isReady = !isClosed && results.every(([, result]) => result === 'ok')
    const status = isReady ? 'ok' : 'failing'
    return { status, checks: Object.fromEntries(results) }
  }

  async function holds(check: HealthCheck): Promise<'ok' | 'failing'> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new DOMException('The check takes too long.', 'TimeoutError'))
      }, timeoutMs)
    })
    try {
      const given: unknown = await Promise.race([Promise.resolve().then(check), late])
      return given === false ? 'failing' : 'ok'
    } catch (error) {
      parts.onFailure(error)
      return 'failing'
    } finally {
      clearTimeout(timer)
    }
  }
}

function checksIn({ checks = {} }: HealthOptions): Readonly<Record<string, HealthCheck>> {
  if (!isRecord(checks)) throw invalidOption('health.checks', 'must be an object')
  for (const [name, check] of Object.entries(checks)) {
    checkFunction(`health.checks.${name}`, check)
    if ((check as unknown) === undefined) throw invalidOption(`health.checks.${name}`, 'must be a function')
  }
  return checks
}
