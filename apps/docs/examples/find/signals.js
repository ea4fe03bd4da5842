import { createServer } from 'node:http'
import { addSignalsToResponses, describeSite } from '@doorplate/agent-discovery/publish'

const signals = describeSite({
  url: 'http://localhost:3000/',
  name: 'The Book Shelf',
  contentSignal: { search: true, 'ai-input': true, 'ai-train': false },
  resources: [{ kind: 'llms-txt', url: '/llms.txt' }],
})
const announce = addSignalsToResponses(signals)

createServer((request, response) => {
  announce(request, response, () => {
    if (request.url !== '/') response.writeHead(404).end('Not here')
    else {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end('<!doctype html><title>Books</title><h1>Reviews</h1>')
    }
  })
}).listen(process.env.PORT ?? 3000, () => console.log('ready'))
