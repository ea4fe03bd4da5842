import { connect } from 'node:net'

import { afterEach, expect, it } from 'vitest'

import { recordDials, scriptedLookup, startScriptedServer } from './index.js'

const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

it('a dial to a public name is recorded and ends at the loopback server', async () => {
  const server = await startScriptedServer((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
  const recorder = recordDials(() => server.port)
  cleanups.push(() => server.close(), recorder.restore)

  const lookup = scriptedLookup({ 'a.example': ['93.184.216.34'] })
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect({ host: 'a.example', port: 80, lookup }, () => {
      expect(socket.remoteAddress).toBe('93.184.216.34')
      socket.write('GET /x HTTP/1.1\r\nhost: a.example\r\n\r\n')
    })
    socket.on('data', (chunk) => {
      resolve(chunk.toString())
    })
    socket.on('error', reject)
  })

  expect(text).toMatch(/^HTTP\/1.1 204/)
  expect(recorder.dials).toEqual([{ address: '93.184.216.34', port: 80 }])
  expect(server.requests).toMatchObject([{ method: 'GET', path: '/x', headers: { host: 'a.example' } }])
})

it('a scripted name changes its answer, and an unknown one does not exist', async () => {
  const lookup = scriptedLookup({ 'a.example': [['93.184.216.34'], ['127.0.0.1']] })
  const ask = (name: string): Promise<unknown> =>
    new Promise((resolve) => {
      lookup(name, {}, (error, address) => {
        resolve(error ?? address)
      })
    })
  expect([await ask('a.example'), await ask('a.example'), await ask('a.example')]).toEqual([
    '93.184.216.34',
    '127.0.0.1',
    '127.0.0.1',
  ])
  expect(await ask('b.example')).toMatchObject({ code: 'ENOTFOUND' })
})
