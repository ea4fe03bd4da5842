// desk.mjs
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { createDesk } from '@doorplate/ahp-converse/desk'
import { toNodeListener } from '@doorplate/ahp-converse/node'
import { defineConcierge } from '@doorplate/ahp-converse/server'
import { createSqliteJobStore } from '@doorplate/ahp-converse/sqlite'

const { PORT = '3000', AGENT_TOKEN, DESK_PASSWORD } = process.env
if (!AGENT_TOKEN || !DESK_PASSWORD) throw new Error('AGENT_TOKEN and DESK_PASSWORD are needed')
const publicUrl = `http://localhost:${PORT}`
const digest = (text) => createHash('sha256').update(text).digest()
const isSame = (given, secret) => timingSafeEqual(digest(given), digest(secret))

const concierge = defineConcierge({
  name: 'My shop',
  publicUrl,
  contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
  content: '# My shop\n\nAsk a person.\n',
  capabilities: {
    hours: { description: 'When we are there.', mode: 'MODE2', answer: () => ({ answer: 'From 9 to 5.' }) },
    ask_a_person: {
      description: 'Somebody in the shop answers.',
      mode: 'MODE3',
      actionType: 'async',
      restartable: true,
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object' },
      answer: () => ({ escalation: { note: 'Be kind.', etaSeconds: 600 } }),
    },
  },
  verify: ({ value }) => (isSame(value, AGENT_TOKEN) ? { id: 'an agent' } : null),
  jobs: { store: createSqliteJobStore('jobs.db') },
  inbox: { notify: ({ id }) => console.log(`${publicUrl}/desk/tickets/${id}`) },
})

const desk = createDesk(concierge.inbox, {
  publicUrl,
  authenticate: ({ header }) =>
    isSame(header('authorization') ?? '', `Basic ${btoa(`ann:${DESK_PASSWORD}`)}`)
      ? { id: 'ann', name: 'Ann' }
      : null,
  challenge: 'Basic realm="desk"',
})

const answers = toNodeListener(concierge)
const pages = toNodeListener(desk)
createServer((request, response) => {
  pages(request, response, () => answers(request, response))
}).listen(PORT, () => console.log('ready'))
