import { expect, it } from 'vitest'

import { openWorld, redirectTo, rejection, routes, text } from './world.js'

it.each([
  'file:///etc/passwd',
  'ftp://a.example/',
  'javascript:0',
  'blob:https://a.example/x',
  'about:blank',
  'gopher://127.0.0.1:70/_x',
  'data:text/plain,x',
])('RD-02: a redirect to %s fails', async (location) => {
  const world = await openWorld(routes({ 'https://a.example/': redirectTo(location) }))
  expect(await rejection(world.safeFetch('https://a.example/'))).toMatchObject({
    code: 'blocked',
    reason: 'scheme',
  })
})

it('RD-03: a scheme-relative Location is another origin', async () => {
  const world = await openWorld(
    routes({ 'https://a.example/x': redirectTo('//b.example/y'), 'https://b.example/y': text('b') }),
  )
  const headers = { authorization: 'Bearer secret' }
  const response = await world.safeFetch('https://a.example/x', { headers })
  expect(response.url).toBe('https://b.example/y')
  expect(response.redirected).toBe(true)
  expect(world.seen[0]?.headers.authorization).toBe('Bearer secret')
  expect(world.seen[1]?.headers.authorization).toBeUndefined()
})

it('RD-04: "://" in a query does not make a Location absolute', async () => {
  const target = 'https://a.example/login?next=https://b.example/z'
  const world = await openWorld(
    routes({ 'https://a.example/x': redirectTo('/login?next=https://b.example/z'), [target]: text('login') }),
  )
  expect((await world.safeFetch('https://a.example/x')).url).toBe(target)
})

const SECRETS = {
  authorization: 'Bearer secret',
  cookie: 'session=secret',
  'proxy-authorization': 'Basic eDp5',
  'x-api-key': 'secret',
  'if-none-match': '"secret"',
}

it('RD-06: no header that could be a secret follows to another origin', async () => {
  const world = await openWorld(
    routes({ 'https://a.example/': redirectTo('https://b.example/'), 'https://b.example/': text('b') }),
    { credentials: { 'https://b.example': { 'x-api-key': 'for b alone' } } },
  )
  const headers = { ...SECRETS, accept: 'text/html', 'user-agent': 'test' }
  await world.safeFetch('https://a.example/', { headers })
  const [first, second] = world.seen
  expect(first?.headers).toMatchObject({
    authorization: 'Bearer secret',
    cookie: 'session=secret',
    'x-api-key': 'secret',
  })
  expect(second?.headers).toMatchObject({
    accept: 'text/html',
    'user-agent': 'test',
    'x-api-key': 'for b alone',
  })
  expect(JSON.stringify(second?.headers)).not.toContain('secret')
})

it('RD-06: a change of port or scheme is another origin too', async () => {
  const world = await openWorld(
    routes({
      'http://a.example/': redirectTo('http://a.example:8080/'),
      'http://a.example:8080/': text('other port'),
      'http://b.example/': redirectTo('https://b.example/'),
      'https://b.example/': text('other scheme'),
    }),
  )
  await world.safeFetch('http://a.example/', { headers: SECRETS })
  await world.safeFetch('http://b.example/', { headers: SECRETS })
  expect(world.seen.map(({ headers }) => 'x-api-key' in headers)).toEqual([true, false, true, false])
})

it('RD-07: nothing comes back when the chain returns to the first origin', async () => {
  const world = await openWorld(
    routes({
      'https://a.example/': redirectTo('https://b.example/'),
      'https://b.example/': redirectTo('https://a.example/final'),
      'https://a.example/final': text('end'),
    }),
    { credentials: { 'https://a.example': { 'x-token': 'secret' } } },
  )
  await world.safeFetch('https://a.example/', { headers: { authorization: 'Bearer secret' } })
  expect(world.seen.map(({ url }) => url)).toEqual([
    'https://a.example/',
    'https://b.example/',
    'https://a.example/final',
  ])
  expect(world.seen.map(({ headers }) => JSON.stringify(headers).includes('secret'))).toEqual([
    true,
    false,
    false,
  ])
})

it('RD-07: credentials stay while the chain stays', async () => {
  const world = await openWorld(
    routes({ 'https://a.example/': redirectTo('/2'), 'https://a.example/2': text('end') }),
    { credentials: { 'https://a.example': { 'x-token': 'secret' } } },
  )
  await world.safeFetch('https://a.example/', { headers: { authorization: 'Bearer secret' } })
  expect(world.seen[1]?.headers).toMatchObject({ 'x-token': 'secret', authorization: 'Bearer secret' })
})

it('RD-10: Proxy-Authorization never reaches an origin', async () => {
  const world = await openWorld(
    routes({ 'https://a.example/': redirectTo('https://b.example/'), 'https://b.example/': text('b') }),
  )
  await world.safeFetch('https://a.example/', { headers: { 'proxy-authorization': 'Basic eDp5' } })
  expect(world.seen.map(({ headers }) => headers['proxy-authorization'])).toEqual([undefined, undefined])
})

it.each([301, 302, 303])(
  'RD-11: after %i a POST goes on as GET without a body and what described it',
  async (status) => {
    const world = await openWorld(
      routes({ 'https://a.example/': redirectTo('/n', status), 'https://a.example/n': text('end') }),
    )
    const headers = {
      'content-type': 'text/plain',
      'content-encoding': 'identity',
      'content-language': 'en',
      'x-kept': '1',
    }
    await world.safeFetch('https://a.example/', { method: 'POST', body: 'abc', headers })
    const second = world.seen[1]
    expect(second).toMatchObject({ method: 'GET', url: 'https://a.example/n', body: '' })
    const names = Object.keys(second?.headers ?? {})
    expect(names).toContain('x-kept')
    for (const name of [
      'content-length',
      'content-type',
      'content-encoding',
      'content-language',
      'transfer-encoding',
    ]) {
      expect(names).not.toContain(name)
    }
  },
)

it.each([307, 308])('RD-11: after %i a POST is repeated', async (status) => {
  const world = await openWorld(
    routes({ 'https://a.example/': redirectTo('/n', status), 'https://a.example/n': text('end') }),
  )
  await world.safeFetch('https://a.example/', { method: 'POST', body: 'abc' })
  expect(world.seen[1]).toMatchObject({ method: 'POST', body: 'abc' })
})

it.each([
  [301, 'PUT', 'PUT'],
  [302, 'DELETE', 'DELETE'],
  [303, 'PUT', 'GET'],
  [303, 'HEAD', 'HEAD'],
  [301, 'HEAD', 'HEAD'],
])('RD-11: after %i a %s goes on as %s', async (status, method, next) => {
  const world = await openWorld(
    routes({ 'https://a.example/': redirectTo('/n', status), 'https://a.example/n': text('end') }),
  )
  await world.safeFetch('https://a.example/', { method })
  expect(world.seen[1]?.method).toBe(next)
})

it('RD-13: a stream body is never sent a second time, nor as nothing', async () => {
  const world = await openWorld(
    routes({ 'https://a.example/': redirectTo('/n', 307), 'https://a.example/n': text('end') }),
  )
  const body = new Blob(['abc']).stream()
  const call = world.safeFetch('https://a.example/', { method: 'POST', body, duplex: 'half' })
  expect(await rejection(call)).toMatchObject({ code: 'body_not_replayable' })
  expect(world.seen).toMatchObject([{ body: 'abc' }])
})

it('RD-15: each hop is judged for its own scheme', async () => {
  const world = await openWorld(
    routes({
      'http://a.example/': redirectTo('https://127.0.0.1:8443/'),
      'https://a.example/': redirectTo('http://127.0.0.1:8080/'),
    }),
  )
  expect(await rejection(world.safeFetch('http://a.example/'))).toMatchObject({
    code: 'blocked',
    reason: 'address',
  })
  expect(await rejection(world.safeFetch('https://a.example/'))).toMatchObject({
    code: 'blocked',
    reason: 'address',
  })
  expect(world.dials.map(({ address }) => address)).toEqual(['93.184.216.34', '93.184.216.34'])
})

it('RD-15: https does not go on as http unless the target is listed', async () => {
  const reply = routes({
    'https://a.example/': redirectTo('http://b.example/'),
    'http://b.example/': text('plain'),
  })
  const strict = await openWorld(reply)
  expect(await rejection(strict.safeFetch('https://a.example/'))).toMatchObject({
    code: 'blocked',
    reason: 'downgrade',
  })
  expect(strict.seen.map(({ url }) => url)).toEqual(['https://a.example/'])
})

it('RD-15: a listed host may be reached by a downgrade', async () => {
  const world = await openWorld(
    routes({ 'https://a.example/': redirectTo('http://b.example/'), 'http://b.example/': text('plain') }),
    { dangerouslyAllowDowngradeTo: ['b.example'] },
  )
  expect((await world.safeFetch('https://a.example/')).url).toBe('http://b.example/')
})

it('RD-16: a redirect status without Location, 300 and 304 are final', async () => {
  const world = await openWorld((request, response) => {
    const status = Number(new URL(request.url).pathname.slice(1))
    response.writeHead(status, status === 303 ? { 'content-type': 'application/json' } : { location: '/x' })
    response.end(status === 304 ? undefined : '{"ok":true}')
  })
  const seeOther = await world.safeFetch('https://a.example/303')
  expect(seeOther.status).toBe(303)
  expect(await seeOther.json()).toEqual({ ok: true })
  expect((await world.safeFetch('https://a.example/300')).status).toBe(300)
  expect((await world.safeFetch('https://a.example/304')).status).toBe(304)
})

it.each(['//127.0.0.1:8080/x', '///127.0.0.1/x', '\\\\127.0.0.1\\x', '/\\127.0.0.1/x'])(
  'RD-18: a redirect to %s is refused',
  async (location) => {
    const world = await openWorld(routes({ 'http://a.example/': redirectTo(location) }))
    expect(await rejection(world.safeFetch('http://a.example/'))).toMatchObject({
      code: 'blocked',
      reason: 'address',
    })
    expect(world.dials).toHaveLength(1)
  },
)

it.each([
  ['/x', '/x', 200],
  ['/x', 'https://b.example/x', 'invalid_redirect'],
  ['https://b.example/x', '//127.0.0.1/', 'invalid_redirect'],
])('RD-16: of Location %s and %s comes %s', async (first, second, outcome) => {
  const world = await openWorld(
    routes({
      'https://a.example/': (_request, response) =>
        response
          .writeHead(302, [
            ['location', first],
            ['location', second],
          ])
          .end(),
      'https://a.example/x': text('x'),
      'https://b.example/x': text('x'),
    }),
  )
  const call = world.safeFetch.request('https://a.example/')
  if (typeof outcome === 'number') expect((await call).status).toBe(outcome)
  else expect(await rejection(call)).toMatchObject({ code: outcome })
})
