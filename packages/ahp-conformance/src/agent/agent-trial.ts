import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AHP_VERSION } from '@doorplate/ahp-manifest'
import {
  checkOptionNames,
  checkSite,
  integerOption,
  type ConformanceReport,
  type RunOptions,
} from '@doorplate/conformance-kit'
import { AhpConformanceError, invalidOption } from '../errors.js'
import { inOurWords, optionError } from '../options.js'
import { RUNNER } from '../package-version.js'
import { requirementOf } from '../requirements.js'
import type { AgentRecord } from './agent-check.js'
import { agentChecks } from './agent-checks.js'
import { serveForeign, STATIONS } from './stations.js'
import type { AgentRequest, AgentTask, StationReply, Visit } from './station.js'

/** Options of `openAgentTrial`. */
export interface AgentTrialOptions {
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host?: string
  /** The first of the ports, one for each station and one more. Default: free ones. */
  readonly port?: number
  /** The clock in milliseconds that waits are measured by. Default `performance.now`. */
  readonly now?: () => number
}

/** Sites that wait for an agent. */
export interface AgentTrial {
  /** What the agent is to do, in this order. */
  readonly tasks: readonly AgentTask[]
  /** Judges what the agent has done so far. */
  judge(options?: Pick<RunOptions, 'only' | 'skip' | 'failOnWarning' | 'onCheck'>): Promise<ConformanceReport>
  close(): Promise<void>
}

const MAX_BODY_BYTES = 65_536
/** Of one station: an agent in a loop shall not fill the memory. */
const MAX_REQUESTS = 1_000

/**
 * Opens the sites of a trial: each station is a site of its own that behaves in one way and keeps what an agent does.
 *
 * @throws {AhpConformanceError} `invalid_option`, `cannot_listen`
 */
export async function openAgentTrial(options: AgentTrialOptions = {}): Promise<AgentTrial> {
  const { host, port, now } = checkTrialOptions(options)
  const openedAtMs = now()
  const servers: Server[] = []
  const close = async (): Promise<void> => {
    await Promise.all(servers.map(closeServer))
  }
  const open = async (index: number, answer: (request: AgentRequest) => StationReply): Promise<string> => {
    const server = createServer((request, response) => {
      void received(request, now).then((seen) => {
        const { status = 200, headers = {}, body = '' } = answer(seen)
        const isText = typeof body === 'string'
        response.writeHead(status, { ...(isText ? {} : { 'content-type': 'application/json' }), ...headers })
        response.end(isText ? body : JSON.stringify(body))
      })
    })
    servers.push(server)
    return listen(server, host, port === 0 ? 0 : port + index)
  }
  try {
    return await openStations(open, close, () => now() - openedAtMs)
  } catch (error) {
    await close()
    throw error
  }
}

type Open = (index: number, answer: (request: AgentRequest) => StationReply) => Promise<string>

async function openStations(
  open: Open,
  close: () => Promise<void>,
  elapsedMs: () => number,
): Promise<AgentTrial> {
  const credential = `doorplate-${randomBytes(12).toString('hex')}`
  const visits = new Map(
    STATIONS.map(({ id }) => [id, { requests: [] as AgentRequest[], foreign: [] as AgentRequest[] }]),
  )
  const foreignOrigin = await open(0, (request) => {
    const visit = visits.get(request.path.split('/')[1] ?? '')
    if (visit !== undefined && visit.foreign.length < MAX_REQUESTS) visit.foreign.push(request)
    return serveForeign()
  })
  const tasks: AgentTask[] = []
  for (const [index, { id, query, capability, serve }] of STATIONS.entries()) {
    const visit = visits.get(id)
    if (visit === undefined) continue
    const origin = await open(index + 1, (request) => {
      if (visit.requests.length < MAX_REQUESTS) visit.requests.push(request)
      return serve(request, visit, `${foreignOrigin}/${id}`)
    })
    tasks.push({ station: id, url: `${origin}/`, query, capability, credential })
  }
  return {
    tasks,
    close,
    judge: async (options = {}) => {
      const record = { visits: new Map<string, Visit>(visits), credential }
      return asTrial(await judge(record, options), record, elapsedMs())
    },
  }
}

async function judge(
  record: AgentRecord,
  options: Pick<RunOptions, 'only' | 'skip' | 'failOnWarning' | 'onCheck'>,
): Promise<ConformanceReport> {
  const refuse = (): never => {
    throw new Error('A trial asks nothing.')
  }
  try {
    return await checkSite(agentChecks, {
      protocol: 'ahp',
      protocolVersion: AHP_VERSION,
      baseUrl: 'the visiting agent',
      runner: RUNNER,
      requirementOf,
      profile: 'agent',
      secrets: [record.credential],
      port: { request: refuse, close: () => Promise.resolve() },
      limits: { maxRequests: 1, maxTotalBytes: 1, maxResponseBytes: 1, deadlineMs: 60_000 },
      run: options,
      subject: () => record,
    })
  } catch (error) {
    throw optionError(error)
  }
}

/** The verdicts as a report of the trial: it began when its sites were opened, and its requests are those of the agent. */
function asTrial(report: ConformanceReport, record: AgentRecord, elapsedMs: number): ConformanceReport {
  const startedAtMs = Date.parse(report.finished_at) - elapsedMs
  return {
    ...report,
    started_at: new Date(startedAtMs).toISOString(),
    duration_ms: Math.max(0, Math.round(elapsedMs)),
    requests: countSeen(record),
  }
}

/** A trial asks nothing itself: what counts is what the agent sent, and the bytes of its bodies. */
function countSeen({ visits }: AgentRecord): ConformanceReport['requests'] {
  const seen = [...visits.values()].flatMap(({ requests, foreign }) => [...requests, ...foreign])
  return { count: seen.length, bytes: seen.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) }
}

function checkTrialOptions(options: AgentTrialOptions): Required<AgentTrialOptions> {
  return inOurWords(() => {
    checkOptionNames(options, ['host', 'port', 'now'])
    const { host = '127.0.0.1', now = () => performance.now() } = options
    if (typeof (host as unknown) !== 'string' || host === '') throw invalidOption('host', 'an address')
    if (typeof (now as unknown) !== 'function' || !Number.isFinite(now()))
      throw invalidOption('now', 'a clock in milliseconds')
    const port = integerOption('port', options.port, 0, 0, 65_535 - STATIONS.length)
    return { host, port, now }
  })
}

async function received(request: IncomingMessage, now: () => number): Promise<AgentRequest> {
  const atMs = now()
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
    }
  } catch {
    // Whoever breaks off has sent what has come so far.
  }
  const text = Buffer.concat(chunks).toString()
  const { method = 'GET', url = '/', headers } = request
  return { method, path: url.split('?', 1)[0] ?? '/', headers, text, json: parsed(text), atMs }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `Port ${port} cannot be opened for agents.`
      reject(new AhpConformanceError('cannot_listen', message, { option: 'port', cause }))
    })
    server.listen(port, host, resolve)
  })
  const { port: opened } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${opened}`
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve()
    })
    server.closeAllConnections()
  })
}
