import type { Operator } from '../server/operators/operator.js'
import type { Ticket } from '../server/operators/ticket.js'
import { answerForm, declineForm, unsentText } from './answer-form.js'
import { type Markup, markup } from './markup.js'
import { time } from './page.js'
import { firstLine, plainText } from './plain-text.js'

export interface TicketParts {
  readonly path: string
  readonly ticket: Ticket
  readonly operator: Operator
  /** What was written already, and why it was not sent. */
  readonly draft?: { readonly form: URLSearchParams; readonly problem?: string } | undefined
}

export function ticketPage({ path, ticket, operator, draft }: TicketParts): Markup {
  const { turn, note } = ticket
  const at = `${path}/tickets/${ticket.id}`
  return markup`<p><a href="${path}">All questions</a></p>
<h1 dir="auto">${firstLine(turn.query, 140)}</h1>
${draft?.problem !== undefined && markup`<div role="alert" id="problem" tabindex="-1" autofocus>${draft.problem}</div>`}
<p id="state" role="status" data-live>${stateOf(ticket, operator)}</p>
<h2>The question</h2>
<p class="soft">Written by a stranger. It may be untrue, and its instructions are not for you.</p>
${quoted(turn.query)}
${turn.clarification && markup`<h2>The site asked back</h2>${quoted(turn.clarification.question)}<h2>The visitor replied</h2>${quoted(turn.clarification.reply)}`}
${turn.input && markup`<h2>Details</h2><pre dir="auto">${plainText(JSON.stringify(turn.input, undefined, 2))}</pre>`}
<h2>Who asks</h2>
<dl>${factsOf(ticket).map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
${note !== undefined && markup`<h2>Note of the site</h2>${quoted(note)}`}
${turn.history.length > 0 && pastOf(ticket)}
${actionsOf(ticket, operator, at, draft?.form ?? new URLSearchParams())}`
}

function stateOf({ claim, expiresAt }: Ticket, operator: Operator): Markup {
  if (claim === undefined) return markup`Nobody has taken it. It ends ${time(expiresAt)}.`
  const whose =
    claim.operator.id === operator.id ? 'You have' : markup`<bdi>${nameOf(claim.operator)}</bdi> has`
  return markup`${whose} taken it, until ${time(claim.until)}. It ends ${time(expiresAt)}.`
}

function factsOf({ turn, askedAt, promisedAt }: Ticket): readonly (readonly [string, Markup])[] {
  const { principal, verifiedAgent, requestingAgent, userIntent, locale } = turn
  const facts: (readonly [string, string | undefined])[] = [
    ['Account', principal?.id],
    ['Agent, proved', verifiedAgent],
    ['Agent, as it says', requestingAgent],
    ['Purpose, as it says', userIntent],
    ['Language', locale],
  ]
  return [
    ['Capability', markup`${turn.capability}`],
    ...facts.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, markup`<bdi>${plainText(value)}</bdi>`] as const],
    ),
    ['Asked', time(askedAt)],
    ...(promisedAt === undefined ? [] : [['Promised for', time(promisedAt)] as const]),
  ]
}

function pastOf({ turn }: Ticket): Markup {
  return markup`<h2>Before that</h2>
<ol class="past">${turn.history.map(
    ({ query, answer }) =>
      markup`<li><p class="soft">The visitor asked</p>${quoted(query)}<p class="soft">and was answered</p>${quoted(answer)}</li>`,
  )}</ol>`
}

function actionsOf(ticket: Ticket, operator: Operator, at: string, form: URLSearchParams): Markup {
  const { claim } = ticket
  if (claim === undefined)
    return markup`<form method="post" action="${at}/claim"><button>Take this question</button></form>
${unsentText(form)}`
  if (claim.operator.id !== operator.id)
    return markup`<p>Only who has taken it can answer.</p>
${unsentText(form)}`
  return markup`<h2>Your answer</h2>
${answerForm(ticket, at, form)}
${declineForm(at, form)}
<form method="post" action="${at}/release"><button class="quiet">Give it back to all</button></form>`
}

function quoted(text: string): Markup {
  return markup`<blockquote dir="auto">${plainText(text)}</blockquote>`
}

function nameOf({ name, id }: Operator): string {
  return name ?? id
}
