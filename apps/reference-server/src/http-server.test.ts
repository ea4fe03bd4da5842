import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { listen } from './http-server.js'
import { defaultSettings } from './settings/read-settings.js'

it('answers a request that came in before there was somebody to answer it', async () => {
  const server = await listen({ ...defaultSettings('/'), port: 0 })
  const early = request(server.origin, { agent: false }).end()
  await once(early, 'finish')
  server.serve((_request, response) => response.end('here'))
  const [response] = (await once(early, 'response')) as [IncomingMessage]
  expect(await text(response)).toBe('here')
  await server.stop({ graceMs: 0 })
})
