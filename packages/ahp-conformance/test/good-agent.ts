import { at } from './draft.js'
import type { AgentTask } from '../src/index.js'

/** What is wrong with an agent. */
export interface AgentFault {
  /** Looks at these paths before anything else. */
  readonly looksAt?: readonly string[]
  readonly ignoresLink?: boolean
  readonly ignoresNotice?: boolean
  /** Posts to whatever the document at the well-known path names. */
  readonly trustsCards?: boolean
  readonly asksAnyVersion?: boolean
  /** Changes a question before it is sent. */
  readonly question?: (question: Record<string, unknown>) => unknown
  readonly sendsCredentialAnywhere?: boolean
  readonly waitMs?: (attempt: number, retryAfterSeconds: number | undefined) => number
  readonly maxAttempts?: number
  readonly neverPolls?: boolean
  readonly pollsAnywhere?: boolean
}

/** An agent that does everything right, in as few lines as it takes. Only waiting moves its clock. */
export class GoodAgent {
  readonly #fault: AgentFault
  #timeMs = 0

  constructor(fault: AgentFault = {}) {
    this.#fault = fault
  }

  readonly now = (): number => this.#timeMs

  readonly visit = async ({ url, capability, query, credential }: AgentTask): Promise<void> => {
    for (const path of this.#fault.looksAt ?? []) await fetch(new URL(path, url))
    const found = await this.#find(url)
    if (found === undefined) return
    if (at(found, 'ahp') !== '0.1' && this.#fault.asksAnyVersion !== true) {
      await fetch(new URL('/llms.txt', url))
      return
    }
    const converse = new URL(String(at(found, 'endpoints', 'converse')), url)
    const isAction = capability === 'order_book' || capability === 'ask_a_person'
    const isKept = converse.origin === new URL(url).origin || this.#fault.sendsCredentialAnywhere === true
    const authorization = isAction && isKept ? { authorization: `Bearer ${credential}` } : {}
    const context = { requesting_agent: 'good-agent/1.0', ...(isAction && { user_intent: 'To read Dune' }) }
    const question = { ahp: '0.1', capability, query, context }
    const answer = await this.#ask(converse, question, authorization)
    if (at(answer, 'status') === 'clarification_needed')
      await this.#ask(
        converse,
        { ...question, session_id: at(answer, 'session_id'), clarification: 'novel' },
        {},
      )
    if (at(answer, 'status') === 'accepted' && this.#fault.neverPolls !== true)
      await this.#poll(new URL(String(at(answer, 'poll')), url), url, authorization)
  }

  async #find(url: string): Promise<unknown> {
    const first: unknown = await (
      await fetch(new URL('/.well-known/agent.json', url))
    )
      .json()
      .catch(() => undefined)
    if (Array.isArray(at(first, 'modes'))) return first
    if (this.#fault.trustsCards === true && at(first, 'skills') !== undefined)
      await fetch(new URL('/a2a', url), {
        method: 'POST',
        body: '{"ahp":"0.1","capability":"x","query":"x","context":{"requesting_agent":"x"}}',
      })
    const page = await fetch(url)
    const link =
      this.#fault.ignoresLink === true
        ? undefined
        : /<([^>]+)>; rel="ahp-manifest/.exec(page.headers.get('link') ?? '')?.[1]
    const notice =
      this.#fault.ignoresNotice === true
        ? undefined
        : /href="([^"]+)" rel="ahp-manifest/.exec(await page.text())?.[1]
    const target = link ?? notice
    return target === undefined ? undefined : await (await fetch(new URL(target, url))).json()
  }

  async #ask(
    url: URL,
    question: Record<string, unknown>,
    headers: Readonly<Record<string, string>>,
  ): Promise<unknown> {
    const { maxAttempts = 5, waitMs = (attempt, seconds) => (seconds ?? 2 ** attempt) * 1_000 } = this.#fault
    const sent = structuredClone(question)
    this.#fault.question?.(sent)
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(sent),
    }
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(url, init)
      if (response.status !== 429 || attempt >= maxAttempts) return await response.json()
      const field = response.headers.get('retry-after')
      this.#timeMs += waitMs(attempt, field === null ? undefined : Number(field))
    }
  }

  async #poll(poll: URL, site: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const isOwn = poll.origin === new URL(site).origin
    if (!isOwn && this.#fault.pollsAnywhere !== true) return
    for (let attempt = 0; attempt < 5; attempt++) {
      const state: unknown = await (await fetch(poll, { headers: isOwn ? headers : {} })).json()
      if (at(state, 'status') !== 'pending') return
      this.#timeMs += 1_000
    }
  }
}
