import { agentNotice, linkHeader, MANIFEST_PATH } from '@doorplate/ahp-manifest'
import { ownText } from '../own-member.js'
import { questionsOf, type AgentRequest, type Station, type StationReply, type Visit } from './station.js'

const HIDDEN_PATH = '/about/agent.json'
const HOURS = { capability: 'opening_hours', query: 'When is the shop open?' } as const
const ORDER = { capability: 'order_book', query: 'Order one copy of Dune.' } as const
/** How long the agent has to wait at the station `limited`. */
export const RETRY_AFTER_SECONDS = 2
/** How often it is refused at the station `busy`. */
export const REFUSALS = 3

/** The sites that an agent visits, one after the other. */
export const STATIONS: readonly Station[] = [
  { id: 'well_known', ...HOURS, serve: (request) => shop(request, () => success()) },
  {
    id: 'link',
    ...HOURS,
    serve: (request) => shop(request, () => success(), { manifestPath: HIDDEN_PATH, hasLink: true }),
  },
  {
    id: 'notice',
    ...HOURS,
    serve: (request) => shop(request, () => success(), { manifestPath: HIDDEN_PATH, hasNotice: true }),
  },
  {
    id: 'agent_card',
    ...HOURS,
    serve: (request) =>
      request.path === MANIFEST_PATH
        ? { headers: link(HIDDEN_PATH), body: CARD }
        : shop(request, () => success(), { manifestPath: HIDDEN_PATH, hasLink: true }),
  },
  {
    id: 'unknown_version',
    ...HOURS,
    serve: (request) => shop(request, () => success(), { manifest: { ahp: '7.0' } }),
  },
  {
    id: 'limited',
    ...HOURS,
    serve: (request, visit) =>
      shop(request, () => {
        const wait = String(RETRY_AFTER_SECONDS)
        return questionsOf(visit).length > 1 ? success() : limited({ 'retry-after': wait })
      }),
  },
  {
    id: 'busy',
    ...HOURS,
    serve: (request, visit) =>
      shop(request, () => (questionsOf(visit).length > REFUSALS ? success() : limited({}))),
  },
  {
    id: 'clarification',
    capability: 'book_search',
    query: 'Dune',
    serve: (request) => shop(request, () => (replies(request) ? success() : QUESTION_BACK)),
  },
  { id: 'action', ...ORDER, serve: (request) => shop(request, () => success()) },
  {
    id: 'foreign_endpoint',
    ...ORDER,
    serve: (request, _visit, foreignUrl) => {
      const endpoints = { converse: `${foreignUrl}/agent/converse`, content: '/llms.txt' }
      return shop(request, () => success(), { manifest: { endpoints } })
    },
  },
  {
    id: 'job',
    capability: 'ask_a_person',
    query: 'Is Dune in stock?',
    serve: (request, visit) =>
      shop(request, () => accepted('/agent/converse/status/job-1'), { poll: () => jobState(visit) }),
  },
  {
    id: 'foreign_poll',
    capability: 'ask_a_person',
    query: 'Is Dune in stock?',
    serve: (request, _visit, foreignUrl) =>
      shop(request, () => accepted(`${foreignUrl}/agent/converse/status/job-1`)),
  },
]

/** What every other origin answers. */
export function serveForeign(): StationReply {
  return success()
}

interface ShopOptions {
  readonly manifest?: object
  /** Default: the well-known path. */
  readonly manifestPath?: string
  readonly hasLink?: boolean
  readonly hasNotice?: boolean
  readonly poll?: () => StationReply
}

/** A shop that behaves well, apart from what a station changes. */
function shop(
  { method, path }: AgentRequest,
  answer: () => StationReply,
  options: ShopOptions = {},
): StationReply {
  const { manifest = {}, manifestPath = MANIFEST_PATH, hasLink = false, hasNotice = false, poll } = options
  const headers = hasLink ? link(manifestPath) : {}
  if (path === manifestPath) return { body: { ...MANIFEST, ...manifest } }
  if (path === '/agent/converse' && method === 'POST') return answer()
  if (path === '/agent/converse/status/job-1' && poll !== undefined) return poll()
  if (path === '/llms.txt')
    return {
      headers: { 'content-type': 'text/markdown' },
      body: '# The Book Shelf\n\nOpen from nine to five.\n',
    }
  const notice = hasNotice ? agentNotice({ manifestUrl: manifestPath }) : ''
  const body = `<!doctype html><title>The Book Shelf</title><body><h1>Books</h1>${notice}</body>`
  return { status: path === '/' ? 200 : 404, headers: { ...headers, 'content-type': 'text/html' }, body }
}

function link(manifestUrl: string): Readonly<Record<string, string>> {
  return { link: linkHeader({ manifestUrl }) }
}

function success(): StationReply {
  return {
    body: {
      status: 'success',
      session_id: 'session-1',
      progress: null,
      response: { content_type: 'text/answer', answer: 'From nine to five.', sources: [] },
      meta: { capability_used: 'opening_hours', mode: 'MODE2', content_type: 'text/answer' },
    },
  }
}

const QUESTION_BACK: StationReply = {
  body: {
    status: 'clarification_needed',
    session_id: 'session-1',
    clarification: { question: 'The novel or the film?', options: ['novel', 'film'], free_form: true },
  },
}

function replies({ json }: AgentRequest): boolean {
  return ownText(json, 'clarification') !== undefined
}

function accepted(poll: string): StationReply {
  return { body: { status: 'accepted', session_id: 'job-1', eta_seconds: 1, poll } }
}

function jobState({ requests }: Visit): StationReply {
  const polls = requests.filter(({ path }) => path.endsWith('/job-1')).length
  if (polls > 1) return success()
  return {
    body: { status: 'pending', session_id: 'job-1', progress: 'Somebody is looking.', eta_seconds: 1 },
  }
}

function limited(headers: Readonly<Record<string, string>>): StationReply {
  return {
    status: 429,
    headers,
    body: { status: 'error', code: 'rate_limited', message: 'Not so fast.', scope: 'ip' },
  }
}

const CARD = {
  name: 'The Book Shelf',
  description: 'An agent of another protocol.',
  url: '/a2a',
  protocolVersion: '0.3.0',
  version: '1.0.0',
  capabilities: {},
  skills: [{ id: 'hours', name: 'Hours', description: 'Opening hours', tags: [] }],
}

const SCHEMA = { type: 'object' }

const MANIFEST = {
  ahp: '0.1',
  name: 'The Book Shelf',
  modes: ['MODE1', 'MODE2', 'MODE3'],
  endpoints: { converse: '/agent/converse', content: '/llms.txt' },
  authentication: 'bearer',
  capabilities: [
    { name: 'opening_hours', description: 'Says when the shop is open', mode: 'MODE2' },
    { name: 'book_search', description: 'Finds reviews', mode: 'MODE2' },
    {
      name: 'order_book',
      description: 'Orders a book',
      mode: 'MODE3',
      action_type: 'action',
      input_schema: SCHEMA,
      output_schema: SCHEMA,
    },
    {
      name: 'ask_a_person',
      description: 'A bookseller answers',
      mode: 'MODE3',
      action_type: 'async',
      input_schema: SCHEMA,
      output_schema: SCHEMA,
    },
  ],
  rate_limits: { unauthenticated: { requests: '30/minute' } },
  content_signals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
  async: { supported: true, max_eta_seconds: 60 },
}
