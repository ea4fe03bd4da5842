import type { ConverseResponse } from '@doorplate/ahp-manifest/messages'
import { html, trustedHtml, type Html } from '../html.js'
import { renderMarkdown } from '../markdown-document.js'
import { layout, type PageParts } from '../pages/layout.js'
import { LOOK_AGAIN } from '../pages/look-again.js'
import { ASK, ASK_SCRIPT_PATH, DESK, HOME, LIVE_SCRIPT_PATH } from '../routes.js'

/** A question of a visitor, and what became of it. */
export interface Exchange {
  readonly query: string
  readonly reply: ConverseResponse
}

const EXAMPLES = [
  'Which Node.js does it need?',
  'How does an agent find a site?',
  'What is a checksum computed over?',
  'errors',
]

/** The form, under the last exchange where there is one. */
export function askPage(exchange?: Exchange): string {
  const session = exchange?.reply.status === 'success' ? exchange.reply.session_id : null
  return page({
    title: 'Ask · Doorplate',
    script: ASK_SCRIPT_PATH,
    body: html`<div class="intro">
        <h1>Ask</h1>
        <p>
          The concierge that agents ask, for people: it answers from the documentation of Doorplate, with
          sources, asks back where a question can mean several things, and gets a person when you want one.
        </p>
      </div>
      <div class="talk">
        <div id="conversation" class="conversation" role="log" aria-label="Conversation">
          ${exchange === undefined ? undefined : exchangeSection(exchange)}
        </div>
        <p id="ask-status" class="unseen" role="status"></p>
        <form id="ask-form" class="ask-form panel" method="post" action="${ASK}">
          <label for="query">Your question</label>
          <textarea id="query" name="query" rows="2" maxlength="4096" required></textarea>
          ${typeof session === 'string' ? hidden('session', session) : undefined}
          <button>Ask</button>
        </form>
        ${exchange === undefined ? examples() : undefined}
        <p class="small-print">
          People answer at <a href="${DESK}">the operator’s desk</a>; its password was shown where this server
          was started.
        </p>
      </div>`,
  })
}

function examples(): Html {
  return html`<form class="choices" method="post" action="${ASK}" aria-label="Questions to try">
    ${EXAMPLES.map((query) => html`<button name="query" value="${query}">${query}</button>`)}
  </form>`
}

function exchangeSection({ query, reply }: Exchange): Html {
  return html`<section class="exchange">
    <h2>${query}</h2>
    <div class="reply">${replyBlock(query, reply)}</div>
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
  const { question, free_form: isFree = false } = clarification
  const options = clarification.options ?? []
  const context = html`${hidden('query', query)}${hidden('session', session)}`
  return html`<p>${question}</p>
    ${
      options.length === 0
        ? undefined
        : html`<form class="choices" method="post" action="${ASK}" aria-label="${question}">
            ${context}
            ${options.map((option) => html`<button name="clarification" value="${option}">${option}</button>`)}
          </form>`
    }
    ${
      options.length > 0 && !isFree
        ? undefined
        : html`<form class="field-row" method="post" action="${ASK}">
            ${context}
            <input
              name="clarification"
              type="text"
              aria-label="In your own words"
              placeholder="In your own words"
              maxlength="1024"
              required
            />
            <button class="quiet">Reply</button>
          </form>`
    }`
}

/** While nobody has answered, and afterwards. */
export function waitPage(reply: ConverseResponse): string {
  const waits = reply.status === 'accepted' || reply.status === 'pending'
  const title = waits ? 'Somebody is asked' : reply.status === 'success' ? 'Your answer' : 'No answer'
  return page({
    title: `${title} · Doorplate`,
    ...(waits ? { script: LIVE_SCRIPT_PATH } : {}),
    body: html`<p id="live-status" class="unseen" role="status">${title}.</p>
      <div id="live" class="talk waiting" ${waits ? LIVE : undefined}>
        <h1>${title}</h1>
        ${
          waits
            ? html`<p class="pulse">
                Your question is at the desk. The answer comes to this page; keep its address.
              </p>`
            : html`<div class="exchange"><div class="reply">${replyOfPerson(reply)}</div></div>`
        }
        <p><a href="${ASK}">Ask something else</a></p>
      </div>
      ${waits ? LOOK_AGAIN : undefined}`,
  })
}

const LIVE = html`data-live="2000"`

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

function page(parts: Omit<PageParts, 'description' | 'section'>): string {
  return layout({
    description: 'Ask about Doorplate; answers come from its documentation, with sources, or from a person.',
    section: 'Ask',
    ...parts,
  })
}
