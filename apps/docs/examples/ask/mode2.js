import { createServer } from 'node:http'
import { createKnowledge } from '@doorplate/ahp-converse/knowledge'
import { loadDocuments, toNodeListener } from '@doorplate/ahp-converse/node'
import { defineConcierge } from '@doorplate/ahp-converse/server'

const port = process.env.PORT ?? 3000
const concierge = defineConcierge({
  name: 'The Book Shelf',
  publicUrl: `http://localhost:${port}`,
  contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
  knowledge: await createKnowledge({ documents: loadDocuments(process.argv[2] ?? './docs') }),
  capabilities: {
    help: { description: 'Answers questions about the shop.', mode: 'MODE2' },
    hours: {
      description: 'When the shop is open.',
      mode: 'MODE2',
      answer: () => ({ answer: 'Monday to Friday, nine to five.' }),
    },
  },
})

createServer(toNodeListener(concierge)).listen(port, () => console.log('ready'))
