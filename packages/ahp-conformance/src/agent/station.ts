import type { IncomingHttpHeaders } from 'node:http'

/** What an agent is told to do at a station. */
export interface AgentTask {
  /** Id of the station. */
  readonly station: string
  /** Where the agent is to begin. */
  readonly url: string
  /** What it is to ask there. */
  readonly query: string
  /** The capability to ask. */
  readonly capability: string
  /** The secret for the site at `url`; a bearer token. */
  readonly credential: string
}

/** A request of the agent. */
export interface AgentRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The parsed body; undefined where it is not JSON. */
  readonly json: unknown
  /** By the clock of the trial, milliseconds. */
  readonly atMs: number
}

/** What an agent did at a station. */
export interface Visit {
  readonly requests: readonly AgentRequest[]
  /** Requests to the other origin that the station leads to. */
  readonly foreign: readonly AgentRequest[]
}

export interface StationReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown
}

/** A site of the trial: it behaves in one way, and keeps what the agent does. */
export interface Station {
  readonly id: string
  readonly query: string
  readonly capability: string
  /** Answers the latest request of a visit. `foreignUrl` is on another origin, whose requests are kept too. */
  readonly serve: (request: AgentRequest, visit: Visit, foreignUrl: string) => StationReply
}

/** Questions that were posted. */
export function questionsOf({ requests }: Visit): readonly AgentRequest[] {
  return requests.filter(({ method }) => method === 'POST')
}
