import { visit, type FinalReply, type Reply } from '@doorplate/ahp-converse/client'
import { answerAtDesk } from './person-at-desk.js'
import { require, type Narrator } from './narrator.js'
import type { VisitedSite } from './visited-site.js'

const MAX_WAIT_MS = 30_000

/** Asks, answers what is asked back, has a quote made, and leaves a question to a person, who answers. */
export async function ask(visited: VisitedSite, { step, say }: Narrator): Promise<void> {
  const { origin, tokens, fetch } = visited
  const site = await visit(origin, { fetch, requestingAgent: 'doorplate-demo', credential: tokens.customer })
  const offered = site.capabilities.map(({ name }) => name)

  step('Ask: a question about the documentation')
  const info = succeeded(await site.ask('site_info', tell('Which Node.js does it need?')))
  say(info.answer)
  for (const { title, url } of info.sources) say(`source: ${title ?? url} ${url}`)
  require(info.sources.length > 0, 'The answer has no source.')

  if (offered.includes('get_quote')) {
    step('Clarify: a question that can be about several things')
    const unclear = await site.ask('inventory_check', tell('Is it available?'))
    require(unclear.status === 'clarification_needed', 'The site did not ask back.')
    const [choice = ''] = unclear.options
    say(`site:  ${unclear.question} ${unclear.options.join(' | ')}`)
    say(`agent: ${choice}`)
    say(succeeded(await unclear.reply(choice)).answer)

    step('Act: a quote, with a token')
    const input = { sku: 'AHP-IMPL-001', quantity: 2 }
    const quote = succeeded(
      await site.ask('get_quote', tell(`A quote for ${JSON.stringify(input)}`), { input }),
    )
    say(quote.answer)
    require(quote.answer.includes('€9,600.00'), 'The quote is wrong.')
  } else say('There is no shop here, so nothing is asked of it.')

  step('Escalate: a question left to a person')
  const accepted = await site.ask(
    'human_escalation',
    tell('Could somebody look at our installation next week?'),
  )
  require(accepted.status === 'accepted', 'The question was not left to anybody.')
  say(`site:   accepted, an answer in about ${String(accepted.etaSeconds ?? 0)} s`)
  await answerAtDesk(visited, 'Yes: Tuesday at ten. Bring the conformance report.')
  say('person: takes the question at the desk and answers')
  const answer = succeeded(await accepted.wait({ timeoutMs: MAX_WAIT_MS, maxPollMs: 2000 }))
  say(`site:   ${answer.answer}`)
  require(answer.answer.startsWith('Yes: Tuesday at ten.'), 'That is not what the person said.')

  function tell(query: string): string {
    say(`agent: ${query}`)
    return query
  }
}

type Success = Extract<Reply, { readonly status: 'success' }>

function succeeded(reply: Reply | FinalReply): Success {
  const detail = reply.status === 'error' ? `: ${reply.code}, ${reply.message}` : ''
  require(reply.status === 'success', `The site answered ${reply.status}${detail}.`)
  return reply
}
