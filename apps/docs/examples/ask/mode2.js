// mode2.js
import { createServer } from 'node:http'
import { createKnowledge } from '@doorplate/ahp-converse/knowledge'
import { toNodeListener } from '@doorplate/ahp-converse/node'
import { defineConcierge } from '@doorplate/ahp-converse/server'
import { documents, pages } from './pages.js'

const port = process.env.PORT ?? 3000
const concierge = defineConcierge({
  name: 'The Book Shelf',
  publicUrl: `http://localhost:${port}`,
  contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
  knowledge: await createKnowledge({ documents }),
  capabilities: {
    help: { description: 'Answers questions about the shop.', mode: 'MODE2' },
    hours: {
      description: 'When the shop is open.',
      mode: 'MODE2',
      answer: () => ({ answer: 'Monday to Friday, nine to five.' }),
    },
  },
})

const answers = toNodeListener(concierge)
createServer((request, response) => {
  answers(request, response, () => pages(request, response))
}).listen(port, () => console.log('ready'))
