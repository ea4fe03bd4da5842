import type { ConverseResponse } from '@doorplate/ahp-manifest/messages'
import type { Concierge } from '@doorplate/ahp-converse/server'
import { Hono } from 'hono'
import { visitorToken } from '../concierge/visitors.js'
import type { DemoTokens } from '../demo-tokens.js'
import { fieldsOf, ownForms } from '../pages/own-forms.js'
import { methodNotAllowed } from '../pages/problems.js'
import { ASK, statusOf, WAIT, waitPageOf } from '../routes.js'
import { addressOf, type SiteEnv } from '../site-env.js'
import { pageResponse, seeOther } from '../site-response.js'
import { askPage, waitPage } from './ask-pages.js'

const INTERACTIVE = { scripts: true, forms: true }

/** The pages on which people ask the concierge in this process, each for the address that its request is from. */
export function createAskSite(
  concierge: Concierge,
  { origin, tokens }: { readonly origin: string; readonly tokens: DemoTokens },
): Hono<SiteEnv> {
  async function ask(form: URLSearchParams, address: string): Promise<Response> {
    const query = form.get('query') ?? ''
    const asksPerson = form.get('step') === 'hand-over'
    const [session, reply] = [form.get('session'), form.get('clarification')]
    const { status, body } = await concierge.converse({
      request: {
        capability: asksPerson ? 'human_escalation' : 'site_info',
        query,
        ...(session === null ? {} : { session_id: session }),
        ...(reply === null ? {} : { clarification: reply }),
        ...(asksPerson ? { context: { user_intent: 'asked on the page for questions' } } : {}),
      },
      caller: { address, ...(asksPerson ? { credential: credentialOf(address) } : {}) },
    })
    if (body.status === 'accepted') return seeOther(waitPageOf(body.session_id))
    return pageResponse(status, askPage({ query, reply: body }), INTERACTIVE)
  }

  async function statusFor(job: string, address: string): Promise<ConverseResponse> {
    const { value } = credentialOf(address)
    const { body } = await concierge.respond({
      method: 'GET',
      target: statusOf(job),
      header: (name) => (name === 'authorization' ? `Bearer ${value}` : null),
      readBody: () => Promise.resolve(new Uint8Array()),
      remoteAddress: address,
      signal: new AbortController().signal,
    })
    return JSON.parse(body ?? '{}') as ConverseResponse
  }

  function credentialOf(address: string): { scheme: 'bearer'; value: string } {
    return { scheme: 'bearer', value: visitorToken(address, tokens) }
  }

  const pages = new Hono<SiteEnv>()
  pages.get(ASK, () => pageResponse(200, askPage(), INTERACTIVE))
  pages.post(ASK, ownForms(origin), async (context) => ask(await fieldsOf(context.req), addressOf(context)))
  pages.all(ASK, () => methodNotAllowed(['GET', 'HEAD', 'POST']))
  pages.get(WAIT, async (context) => {
    const reply = await statusFor(context.req.param('job'), addressOf(context))
    return pageResponse(200, waitPage(reply), INTERACTIVE)
  })
  return pages
}
