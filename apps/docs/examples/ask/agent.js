import { visit } from '@doorplate/ahp-converse/client'
import { createSafeFetch } from '@doorplate/safe-fetch'

const [origin = 'http://localhost:3000', question = 'How long does a refund take?'] = process.argv.slice(2)
const fetch = createSafeFetch({ dangerouslyAllow: [new URL(origin).host] })

const site = await visit(origin, { fetch, requestingAgent: 'my-agent/1.0' })
let reply = await site.ask(undefined, question)

if (reply.status === 'clarification_needed') {
  console.log('The site asks:', reply.question, reply.options)
  reply = await reply.reply(reply.options[0] ?? 'any')
}
if (reply.status === 'accepted') {
  console.log('Somebody looks into it.')
  const result = await reply.wait({ timeoutMs: 60_000 })
  console.log(result.status === 'success' ? result.answer : result.status)
} else if (reply.status === 'success') {
  console.log(reply.answer)
  for (const { title, url } of reply.sources) console.log('-', title, url)
} else if (reply.status === 'error') {
  console.log('The site refuses:', reply.code, reply.message)
}
await fetch.close()
