import { isConverseError, visit } from '@doorplate/ahp-converse/client'

const site = await visit('https://books.example', { requestingAgent: 'librarian/1.0' })
for (const { name, description } of site.capabilities) console.log(name, '-', description)

try {
  let reply = await site.ask(undefined, 'Which reviews mention sandworms?')
  if (reply.status === 'clarification_needed') reply = await reply.reply(reply.options[0] ?? 'any')
  if (reply.status === 'success') {
    console.log(reply.answer)
    for (const { title, url } of reply.sources) console.log('-', title, url)
  }

  const task = await site.ask('ask_a_person', 'Is the new translation any good?')
  const result = task.status === 'accepted' ? await task.wait({ timeoutMs: 60_000 }) : task
  console.log(result.status, 'answer' in result ? result.answer : '')
} catch (error) {
  if (!isConverseError(error, 'rate_limited')) throw error
  console.log(`come back in ${error.retryAfterSeconds} seconds`)
}
