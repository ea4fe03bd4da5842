import { expect, it } from 'vitest'

import { isSafeFetchError } from '../src/index.js'
import { openWorld, redirectTo, rejection, routes, text } from './world.js'

const NAMES = {
  'a.example': ['93.184.216.34'],
  'allowed.example': ['93.184.216.36'],
  'xn--a.attacker.example': ['93.184.216.37'],
}

/** Both ways in: the fetch and the core refuse, and nothing is dialled. */
async function expectRefused(url: string, code: 'blocked' | 'invalid_url' = 'blocked'): Promise<void> {
  const world = await openWorld(text('reached'), {}, NAMES)
  for (const attempt of [world.safeFetch(url), world.safeFetch.request(url)]) {
    expect(await rejection(attempt)).toMatchObject({ code })
  }
  expect(world.dials).toEqual([])
}

it.each(['http://0x7f.1/', 'http://017700000001/', 'http://2130706433/', 'http://127.1/', 'http://0/'])(
  'IP-05, IP-06: %s is loopback after URL parsing and refused',
  (url) => expectRefused(url),
)

it('IP-10: an octal octet in a mapped literal is no URL', () =>
  expectRefused('http://[::ffff:0177.0.0.1]/', 'invalid_url'))

it('IP-11: http://1.2/ goes to 1.0.0.2, as the URL parser has it', async () => {
  const world = await openWorld(text('reached'))
  await world.safeFetch.request('http://1.2/')
  expect(world.dials).toEqual([{ address: '1.0.0.2', port: 80 }])
})

it('IP-13: a hexadecimal mapped literal is refused before connecting', () =>
  expectRefused('http://[::ffff:7f00:1]:1338/'))

it.each(['[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[::7f00:1]', '[::ffff:0:7f00:1]', '[64:ff9b::7f00:1]'])(
  'IP-15: http://%s/ is refused',
  (host) => expectRefused(`http://${host}/`),
)

it('IP-16: the NAT64 wrapper of a metadata address is refused', () =>
  expectRefused('http://[64:ff9b::a9fe:a9fe]/latest/'))

it.each(['http://0/', 'http://0.0.0.0:8080/', 'http://[::]/'])('IP-21: %s is refused', (url) =>
  expectRefused(url),
)

it.each(['http://[::127.0.0.1]/', 'http://[::a00:1]/'])('IP-22: %s is refused', (url) => expectRefused(url))

it('IP-25: the brackets of a literal do not turn it into a name', async () => {
  const world = await openWorld(text('reached'))
  expect(await rejection(world.safeFetch('http://[::1]/'))).toMatchObject({
    code: 'blocked',
    reason: 'address',
  })
  expect(world.lookup.asked).toEqual([])
})

it.each(['http://[::ffff:10.0.0.1]/', 'http://[::ffff:c0a8:1]/', 'http://10.1/'])(
  'IP-26: %s is refused',
  (url) => expectRefused(url),
)

it.each([
  'http://localhost./',
  'http://localhost../',
  'http://svc.internal./',
  'http://metadata.google.internal./',
  'http://127.0.0.1./',
  'http://a.example../',
  'http://.a.example/',
  'http://printer.local./',
  'http://router.home.arpa./',
  'http://intranet./',
])('IP-27: %s is refused', (url) => expectRefused(url))

it('IP-27: a trailing dot alone is no offence', async () => {
  const world = await openWorld(text('reached'), {}, { 'a.example.': ['93.184.216.34'] })
  expect((await world.safeFetch.request('http://a.example./')).status).toBe(200)
})

it.each([
  'http://127\u30020\u30020\u30021/',
  'http://127\uff0e0\uff0e0\uff0e1/',
  'http://169\uff61254\uff61169\uff61254/',
])('IP-30: %s is refused', (url) => expectRefused(url))

it('IP-31: circled digits are digits', () => expectRefused('http://\u2460\u2465\u2468.254.169.254/'))

it('IP-32: a name that punycode cannot decode is refused', () =>
  expectRefused('http://xn--a.attacker.example/', 'invalid_url'))

it('IP-33: a numeric spelling in a redirect target is judged', async () => {
  const world = await openWorld(routes({ 'http://a.example/': redirectTo('http://2130706433/') }))
  expect(await rejection(world.safeFetch('http://a.example/'))).toMatchObject({
    code: 'blocked',
    reason: 'address',
  })
  expect(world.dials).toEqual([{ address: '93.184.216.34', port: 80 }])
})

it('IP-34: a backslash ends the host', () => expectRefused('http://127.0.0.1:6666\\@1.1.1.1/'))

it('IP-35: what stands before a backslash is the host', () =>
  expectRefused('http://127.0.0.1\\@allowed.example/'))

it('IP-35: guard and connector read one URL', async () => {
  const world = await openWorld(text('reached'))
  const response = await world.safeFetch('http://allowed.example\\@127.0.0.1/')
  expect(response.url).toBe('http://allowed.example/@127.0.0.1/')
  expect(world.seen.map(({ url }) => url)).toEqual(['http://allowed.example/@127.0.0.1/'])
  expect(world.dials).toEqual([{ address: '93.184.216.36', port: 80 }])
})

it.each([
  'http://allowed.example@127.0.0.1/',
  'http://allowed.example:80@10.0.0.1/',
  'http://allowed.example%2f@127.0.0.1/',
  'http://user@allowed.example/',
  'http://:secret@allowed.example/',
])('IP-36: %s is refused', (url) => expectRefused(url))

it('IP-36: the error does not repeat a password', async () => {
  const world = await openWorld(text('reached'))
  const error = await rejection(world.safeFetch('http://user:hunter2@allowed.example/'))
  expect(isSafeFetchError(error)).toBe(true)
  expect(String(error) + JSON.stringify(error)).not.toContain('hunter2')
})

it.each([
  'ftp://a.example/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'blob:https://a.example/x',
  'ws://a.example/',
  'javascript:0',
])('RD-02: %s is no URL to fetch', (url) => expectRefused(url))
