import { visit } from '@doorplate/ahp-converse/client'
import { createSafeFetch } from '@doorplate/safe-fetch'

const origin = process.argv[2] ?? 'http://localhost:3000'
const fetch = createSafeFetch({ dangerouslyAllow: [new URL(origin).host] })

const site = await visit(origin, { fetch })
const session = site.session()
for (const question of ['How long does a refund take?', 'What did I just ask?']) {
  const reply = await session.ask('help', question)
  console.log(reply.status === 'success' ? reply.answer : reply.status)
}
await fetch.close()
