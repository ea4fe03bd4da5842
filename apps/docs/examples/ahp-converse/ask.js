import { visit } from '@doorplate/ahp-converse/client'
import { createSafeFetch } from '@doorplate/safe-fetch'

// Without this one, public addresses only.
const fetch = createSafeFetch({ dangerouslyAllow: ['localhost:3000'] })
const site = await visit('http://localhost:3000', { fetch })
const reply = await site.ask(undefined, 'How long does a refund take?')
if (reply.status === 'success') console.log(reply.answer, reply.sources)
