import { isConverseError } from '../converse-error.js'
import { digestOf } from '../server/cache/digest-of.js'
import type { CoreRequest, CoreResponse } from '../server/core-message.js'
import { type ConnectionInfo, createFetchHandler } from '../server/fetch-handler.js'
import { checkOperator, type Operator } from '../server/operators/operator.js'
import type { OperatorInbox } from '../server/operators/operator-inbox.js'
import { type DeskOptions, readDeskOptions } from './desk-options.js'
import type { DeskRequest } from './desk-request.js'
import { unsentText } from './answer-form.js'
import { deskResponses } from './desk-responses.js'
import { takeStep } from './desk-steps.js'
import { countOf, listPage, MAX_LISTED } from './list-page.js'
import { markup } from './markup.js'
import { firstLine } from './plain-text.js'
import { readForm } from './read-form.js'
import { routeOf } from './desk-route.js'
import { ticketPage } from './ticket-page.js'

/** A web page on which people answer what waits for them. */
export interface Desk {
  /** Answers a Fetch request; errors become responses. */
  handleRequest(request: Request, connection?: ConnectionInfo): Promise<Response>
  /** The same without Fetch objects: `toNodeListener(desk)` of `./node` makes a listener of it. */
  respond(request: CoreRequest): Promise<CoreResponse>
  /** True when a URL or path is one of the desk's. */
  matches(target: string): boolean
}

/** What the list says after a step; the address names it. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['answer', 'The answer was sent.'],
  ['decline', 'The question was declined.'],
  ['release', 'The question was given back to all.'],
])
const GONE =
  'There is no such question any more. It was answered, declined or cancelled, or its time is over.'

/**
 * Mounts pages at `options.path`. Everything on them needs an operator; forms are taken from pages of `options.publicUrl` alone.
 *
 * @throws {ConverseError} `invalid_option`
 */
export function createDesk(inbox: OperatorInbox, options: DeskOptions): Desk {
  const settings = readDeskOptions(options)
  const { publicUrl, authenticate, path, signInUrl, maxFormBytes, onError } = settings
  const { show, refuse, seeOther, unauthorised } = deskResponses(settings)

  async function respond(request: CoreRequest): Promise<CoreResponse> {
    const response = await answer(request).catch((error: unknown) => {
      request.signal.throwIfAborted()
      onError(error)
      return refuse(500, 'Something went wrong', 'The desk failed. Try again, or tell who runs it.')
    })
    return request.method === 'HEAD' ? { ...response, body: null } : response
  }

  async function answer(request: CoreRequest): Promise<CoreResponse> {
    const route = routeOf(request.target, path)
    if (route === undefined) return refuse(404, 'Not found', 'There is no such page.')
    const takes = route.step === undefined ? ['GET', 'HEAD'] : ['POST']
    if (!takes.includes(request.method))
      return refuse(405, 'Not so', 'The page is not used like this.', { allow: takes.join(', ') })
    const found = (await authenticate(deskRequest(request))) as Operator | null | undefined
    if (found === null || found === undefined) return unauthorised(signInUrl)
    const operator = checkOperator(found)
    if (route.ticket === undefined) return list(request, operator, route.done)
    if (route.step === undefined) return ticket(request, operator, route.ticket)
    if (!isOwnForm(request)) return refuse(403, 'Refused', 'The form is not one of this desk.')
    const form = await readForm(request, maxFormBytes)
    if (typeof form === 'number')
      return refuse(form, 'Refused', 'The form is too long, cannot be read, or is no form.')
    return step(route.ticket, route.step, { operator, form })
  }

  /** Browsers say where a form is; without that nobody knows who has filled it in. */
  function isOwnForm(request: CoreRequest): boolean {
    const site = request.header('sec-fetch-site')
    return request.header('origin') === publicUrl && (site === null || site === 'same-origin')
  }

  async function list(
    request: CoreRequest,
    operator: Operator,
    done: string | undefined,
  ): Promise<CoreResponse> {
    const tickets = await inbox.list({ limit: MAX_LISTED })
    const notice = done === undefined ? undefined : NOTICES.get(done)
    const body = listPage({ path, tickets, operator, notice })
    return fresh(request, show({ title: countOf(tickets, operator), body, operator, self: path }))
  }

  async function ticket(request: CoreRequest, operator: Operator, id: string): Promise<CoreResponse> {
    const found = await inbox.read(id)
    if (found === undefined) return gone(operator, id)
    return fresh(
      request,
      show({
        title: firstLine(found.turn.query, 60),
        body: ticketPage({ path, ticket: found, operator }),
        operator,
        self: `${path}/tickets/${id}`,
      }),
    )
  }

  async function step(
    id: string,
    name: string,
    { operator, form }: { readonly operator: Operator; readonly form: URLSearchParams },
  ): Promise<CoreResponse> {
    const found = await inbox.read(id)
    if (found === undefined) return gone(operator, id, form)
    try {
      const problem = await takeStep(inbox, found, name, { operator, form })
      if (problem !== undefined) return await showDraft(400, problem)
      if (name !== 'claim') return await seeOther(`${path}?done=${name}`)
      return await (form.has('answer') ? showDraft(200) : seeOther(`${path}/tickets/${id}`))
    } catch (error) {
      if (isConverseError(error, 'unknown_ticket')) return await gone(operator, id, form)
      if (isConverseError(error, 'ticket_claimed'))
        return await showDraft(409, 'Somebody else has taken this question in the meantime.')
      if (isConverseError(error, 'ticket_not_claimed'))
        return await showDraft(409, 'Take the question before you answer it.')
      if (isConverseError(error, 'invalid_outcome') || isConverseError(error, 'invalid_option'))
        return await showDraft(400, `It was not sent: ${error.message}.`)
      throw error
    }

    async function showDraft(status: number, problem?: string): Promise<CoreResponse> {
      const latest = await inbox.read(id)
      if (latest === undefined) return gone(operator, id, form)
      const draft = { form, ...(problem === undefined ? {} : { problem }) }
      const body = ticketPage({ path, ticket: latest, operator, draft })
      const title = problem === undefined ? firstLine(latest.turn.query, 60) : 'Not sent'
      return show({ status, title, body, operator, self: `${path}/tickets/${id}` })
    }
  }

  /** An open page of the ticket shows this in place of its state. */
  function gone(operator: Operator, id: string, form?: URLSearchParams): Promise<CoreResponse> {
    const body = markup`<h1>No such question</h1>
<p id="state" role="status" data-live>${GONE}</p>
${form && unsentText(form)}
<p><a href="${path}">All questions</a></p>`
    return show({ status: 404, title: 'No such question', body, operator, self: `${path}/tickets/${id}` })
  }

  return {
    respond,
    handleRequest: createFetchHandler(respond),
    matches: (target) => routeOf(target, path) !== undefined,
  }
}

/** A plain object, of which a member can be taken by itself. */
function deskRequest(request: CoreRequest): DeskRequest {
  const { method, target, remoteAddress, signal } = request
  return { method, target, remoteAddress, signal, header: (name) => request.header(name) }
}

/** 304 to a page that has it already. */
async function fresh(
  request: CoreRequest,
  response: CoreResponse | Promise<CoreResponse>,
): Promise<CoreResponse> {
  const { status, headers, body } = await response
  const etag = `"${(await digestOf(body ?? '')).slice(0, 32)}"`
  if (request.header('if-none-match') === etag)
    return { status: 304, headers: { ...headers, etag }, body: null }
  return { status, headers: { ...headers, etag }, body }
}
