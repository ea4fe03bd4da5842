import { addSignalsToResponses, describeSite, withSiteSignals } from '@doorplate/agent-discovery/publish'

const signals = describeSite({
  url: 'https://shop.example/',
  name: 'The Book Shelf',
  resources: [{ kind: 'llms-txt', url: '/llms.txt' }],
})
const handler = withSiteSignals(() => new Response('none', { status: 404 }), signals)
const response = await handler(new Request('https://shop.example/llms.txt'))
console.log(response.status, response.headers.get('link'))
console.log(await response.text())
// for node:http, Express and the like: app.use(addSignalsToResponses(signals))
