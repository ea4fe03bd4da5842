import { setTimeout as sleep } from 'node:timers/promises'
import { DESK } from '../routes.js'
import { require } from './narrator.js'
import type { VisitedSite } from './visited-site.js'

const TICKET = new RegExp(`${DESK}/tickets/[0-9a-f]{32}`)
const LOOKS = 50
const BETWEEN_LOOKS_MS = 100

/** Does at the desk what a person does there with a browser: opens the question that waits, takes it, answers it. */
export async function answerAtDesk(site: VisitedSite, answer: string): Promise<void> {
  const ticket = await waitingTicket(site)
  await submit(site, `${ticket}/claim`, {})
  await submit(site, `${ticket}/answer`, { answer })
}

/** Answers whatever comes to the desk until `signal` aborts. */
export async function staffDesk(
  site: VisitedSite,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const path = ticketIn(await (await open(site, DESK)).text())
    if (path === undefined) await sleep(BETWEEN_LOOKS_MS, undefined, { signal }).catch(() => undefined)
    else {
      // The visitor may have had enough meanwhile.
      for (const [step, form] of [
        ['claim', {}],
        ['answer', { answer: 'Yes, we can.' }],
      ] as const)
        await post(site, `${path}/${step}`, form)
    }
  }
}

function ticketIn(page: string): string | undefined {
  return TICKET.exec(page)?.[0]
}

async function waitingTicket(site: VisitedSite): Promise<string> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const path = ticketIn(await (await open(site, DESK)).text())
    if (path !== undefined) return path
    await sleep(BETWEEN_LOOKS_MS)
  }
  require(false, 'No question came to the desk.')
}

async function submit(
  site: VisitedSite,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<void> {
  const response = await post(site, path, form)
  require(response.status === 303, `The desk answered ${String(response.status)} to ${path}.`)
}

function post(site: VisitedSite, path: string, form: Readonly<Record<string, string>>): Promise<Response> {
  return open(site, path, {
    method: 'POST',
    headers: { origin: site.origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    redirect: 'manual',
  })
}

function open(
  { origin, tokens, fetch }: VisitedSite,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const authorization = `Basic ${btoa(`ann:${tokens.operator}`)}`
  return fetch(origin + path, {
    ...init,
    headers: { ...(init.headers as Record<string, string>), authorization },
  })
}
