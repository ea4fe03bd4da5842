import { visit } from '@doorplate/ahp-converse/client'

const site = await visit('https://books.example')
const reply = await site.ask(undefined, 'Which reviews mention sandworms?')
if (reply.status === 'success') console.log(reply.answer, reply.sources)
