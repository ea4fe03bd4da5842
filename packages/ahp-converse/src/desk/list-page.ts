import type { Operator } from '../server/operators/operator.js'
import type { Ticket } from '../server/operators/ticket.js'
import { type Markup, markup } from './markup.js'
import { time } from './page.js'
import { firstLine } from './plain-text.js'

export const MAX_LISTED = 100

const MAX_TITLE_LENGTH = 140

export interface ListParts {
  readonly path: string
  readonly tickets: readonly Ticket[]
  readonly operator: Operator
  /** What was done last. */
  readonly notice?: string | undefined
}

/** How many questions wait, in words: read out when it changes. */
export function countOf(tickets: readonly Ticket[], operator: Operator): string {
  const mine = tickets.filter(({ claim }) => claim?.operator.id === operator.id).length
  const free = tickets.filter(({ claim }) => claim === undefined).length
  const waiting = free === 1 ? '1 question waits' : `${free === 0 ? 'No' : free} questions wait`
  return mine === 0 ? `${waiting}.` : `${waiting}; ${mine} ${mine === 1 ? 'is' : 'are'} yours.`
}

export function listPage({ path, tickets, operator, notice }: ListParts): Markup {
  const isMine = ({ claim }: Ticket): boolean => claim?.operator.id === operator.id
  const groups: readonly (readonly [string, readonly Ticket[]])[] = [
    ['Yours', tickets.filter(isMine)],
    ['Waiting', tickets.filter(({ claim }) => claim === undefined)],
    ['Taken by others', tickets.filter((ticket) => ticket.claim !== undefined && !isMine(ticket))],
  ]
  return markup`<h1>Questions</h1>
${notice && markup`<p role="status">${notice}</p>`}
<p id="count" role="status" data-live>${countOf(tickets, operator)}</p>
<div id="lists" data-live>${groups.map(([name, group]) => group.length > 0 && list(name, group, path))}${
    tickets.length === MAX_LISTED && markup`<p>The oldest ${MAX_LISTED} are shown.</p>`
  }</div>`
}

function list(name: string, tickets: readonly Ticket[], path: string): Markup {
  return markup`
<h2>${name}</h2>
<ol class="tickets">${tickets.map(
    ({ id, turn, waitsSince, expiresAt, claim }) => markup`
<li><a id="ticket-${id}" href="${path}/tickets/${id}" dir="auto">${firstLine(turn.query, MAX_TITLE_LENGTH)}</a>
<div class="soft">${turn.capability}, waits since ${time(waitsSince)}, ends ${time(expiresAt)}${
      claim &&
      markup`, taken by <bdi>${claim.operator.name ?? claim.operator.id}</bdi> until ${time(claim.until)}`
    }</div></li>`,
  )}
</ol>`
}
