import { toNodeListener } from '@doorplate/aadp-server/node'
import fastify from 'fastify'
import { aadp } from './site.js'

const app = fastify()
// #region mount
const documents = toNodeListener(aadp)
app.addHook('onRequest', (request, reply, done) => {
  if (!aadp.matches(request.raw.url ?? '')) return done()
  reply.hijack()
  documents(request.raw, reply.raw)
})
// #endregion mount
app.get('/', () => 'My own pages')
await app.listen({ port: Number(process.env.PORT ?? 3000) })
console.log('ready')
