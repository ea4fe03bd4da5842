import { createServer } from 'node:http'
import { toNodeListener } from '@doorplate/aadp-server/node'
import { aadp } from './site.js'

const documents = toNodeListener(aadp)

const server = createServer((request, response) => {
  documents(request, response, () => response.end('My own pages'))
})
server.listen(process.env.PORT ?? 3000, () => console.log('ready'))
