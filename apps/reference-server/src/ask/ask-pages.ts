import type { ConverseResponse } from '@doorplate/ahp-manifest/messages'
import { html, trustedHtml, type Html } from '../html.js'
import { renderMarkdown } from '../markdown-document.js'
import { layout } from '../pages/layout.js'
import { ASK, ASK_SCRIPT_PATH, HOME } from '../routes.js'

/** A question of a visitor, and what became of it. */
export interface Exchange {
  readonly query: string
  readonly reply: ConverseResponse
}

/** The form, under the last exchange where there is one. */
export function askPage(exchange?: Exchange): string {
  const session = exchange?.reply.status === 'success' ? exchange.reply.session_id : null
  return page({
    title: 'Ask',
    body: html`<h1>Ask</h1>
      <p class="lead">
        Questions about Doorplate are answered from its documentation, with sources, by the concierge that
        agents ask.
      </p>
      <div id="conversation" class="conversation" aria-live="polite">
        ${exchange === undefined ? undefined : exchangeSection(exchange)}
      </div>
      <form id="ask-form" class="ask-form" method="post" action="${ASK}">
        <label for="query">Your question</label>
        <textarea id="query" name="query" rows="2" maxlength="4096" required></textarea>
        ${typeof session === 'string' ? hidden('session', session) : undefined}
        <button>Ask</button>
      </form>`,
  })
}

function exchangeSection({ query, reply }: Exchange): Html {
  return html`<section class="exchange">
    <h2>${query}</h2>
    ${replyBlock(query, reply)}
  </section>`
}

function replyBlock(query: string, reply: ConverseResponse): Html {
  if (reply.status === 'success') {
    const { answer, sources = [] } = reply.response
    return html`${answerBlock(answer)} ${sourceList(sources)} ${handOver(query)}`
  }
  if (reply.status === 'clarification_needed') return clarification(query, reply)
  return html`<p class="trouble" role="alert">
    ${'message' in reply ? reply.message : 'There is no answer.'}
  </p>`
}

function sourceList(sources: readonly { readonly title?: string; readonly url: string }[]): Html | undefined {
  if (sources.length === 0) return undefined
  return html`<p class="sources">
    From
    ${sources.map(({ title, url }, place) => html`${place === 0 ? '' : ', '}<a href="${url}">${title ?? url}</a>`)}
  </p>`
}

function handOver(query: string): Html {
  return html`<form method="post" action="${ASK}">
    ${hidden('query', query)}${hidden('step', 'hand-over')}
    <button class="quiet">Ask a person instead</button>
  </form>`
}

type Clarification = Extract<ConverseResponse, { status: 'clarification_needed' }>

function clarification(query: string, { session_id: session, clarification }: Clarification): Html {
  const { question, options } = clarification
  return html`<p>${question}</p>
    <form class="choices" method="post" action="${ASK}">
      ${hidden('query', query)}${hidden('session', session)}
      ${(options ?? []).map((option) => html`<button name="clarification" value="${option}">${option}</button>`)}
    </form>`
}

/** While nobody has answered, and afterwards. */
export function waitPage(reply: ConverseResponse): string {
  const waits = reply.status === 'accepted' || reply.status === 'pending'
  return page({
    title: waits ? 'Somebody is asked' : 'Your answer',
    refresh: waits,
    body: html`<div
      id="waiting"
      class="exchange"
      role="status"
      ${waits ? trustedHtml('data-waits') : undefined}
    >
      <h1>${waits ? 'Somebody is asked' : reply.status === 'success' ? 'Your answer' : 'No answer'}</h1>
      ${
        waits
          ? html`<p>Your question is at the desk. The answer comes to this page; keep its address.</p>`
          : replyOfPerson(reply)
      }
      <p><a href="${ASK}">Ask something else</a></p>
    </div>`,
  })
}

function replyOfPerson(reply: ConverseResponse): Html {
  if (reply.status === 'success') return answerBlock(reply.response.answer)
  const message = 'message' in reply ? reply.message : undefined
  return html`<p class="trouble">${message ?? 'There is no such question any more, or it is not yours.'}</p>`
}

/** Links of a quotation are those of its file; the page that it is from has them right. */
function answerBlock(answer: string): Html {
  const resolveLink = (href: string): string => (/^(https?:\/\/|[/#])/.test(href) ? href : HOME)
  return html`<div class="answer">${trustedHtml(renderMarkdown(answer, { resolveLink }))}</div>`
}

function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`
}

interface PageParts {
  readonly title: string
  readonly body: Html
  readonly refresh?: boolean
}

function page({ title, body, refresh = false }: PageParts): string {
  return layout({
    title: `${title} · Doorplate`,
    description: 'Ask about Doorplate; answers come from its documentation, with sources, or from a person.',
    script: ASK_SCRIPT_PATH,
    ...(refresh ? { refreshSeconds: 5 } : {}),
    body,
  })
}
