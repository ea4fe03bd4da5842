import { checkSite, judged } from '@doorplate/conformance-kit'

/** @type {import('@doorplate/conformance-kit').Requirement[]} */
const requirements = [{ id: 'GREET-1', level: 'MUST', text: 'The site greets.' }]

const checks = [
  {
    id: 'home.greeting',
    title: 'The home page greets',
    requirements: ['GREET-1'],
    hint: 'Say hello.',
    run: async (site) => {
      const exchange = await site.log.send({ url: site.url })
      const text = exchange.ok ? new TextDecoder().decode(exchange.response.body) : ''
      if (text.includes('hello')) return judged([])
      return judged([{ requirement: 'GREET-1', url: site.url, message: `The page says: ${text}` }])
    },
  },
]

// The one way to the network. This one has a site of its own; for others, followRedirects(hopOver(fetch), …) makes it.
const request = async ({ url }) => ({
  url,
  redirected: false,
  status: 200,
  headers: {},
  body: new TextEncoder().encode('go away'),
})

const report = await checkSite(checks, {
  protocol: 'greeting',
  protocolVersion: '1',
  baseUrl: 'https://site.test',
  runner: { name: 'greeting-conformance', version: '1.0.0' },
  requirementOf: (id) => requirements.find((requirement) => requirement.id === id),
  port: { request, close: () => Promise.resolve() },
  subject: (log) => ({ url: 'https://site.test/', log }),
})
for (const { status, findings } of report.checks) {
  console.log(report.status, status)
  for (const { message } of findings) console.log(message)
}
