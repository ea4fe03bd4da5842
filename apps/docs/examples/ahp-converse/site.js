// site.mjs
import { createServer } from 'node:http'
import { createKnowledge } from '@doorplate/ahp-converse/knowledge'
import { loadDocuments, toNodeListener } from '@doorplate/ahp-converse/node'
import { defineConcierge } from '@doorplate/ahp-converse/server'

const port = process.env.PORT ?? 3000
const concierge = defineConcierge({
  name: 'My shop',
  publicUrl: `http://localhost:${port}`,
  contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
  knowledge: await createKnowledge({ documents: loadDocuments('./docs') }),
  capabilities: { help: { description: 'Answers questions about the shop.', mode: 'MODE2' } },
})

const answer = toNodeListener(concierge)
createServer((request, response) => answer(request, response, () => response.end('My own pages'))).listen(
  port,
  () => console.log('ready'),
)
