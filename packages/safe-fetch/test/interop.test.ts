import ky from 'ky'
import { ofetch } from 'ofetch'
import createClient from 'openapi-fetch'
import { expect, it } from 'vitest'

import { openWorld, rejection, routes, text } from './world.js'

interface Paths {
  '/items/{id}': {
    post: {
      parameters: { path: { id: string } }
      requestBody: { content: { 'application/json': { name: string } } }
      responses: { 200: { content: { 'application/json': { id: string; name: string } } } }
    }
  }
}

const reply = routes({
  'https://a.example/items/7': (request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: '7', ...(JSON.parse(request.body) as object) }))
  },
  'https://a.example/text': text('plain'),
})

it('ky takes the fetch', async () => {
  const { safeFetch } = await openWorld(reply)
  const client = ky.create({ fetch: safeFetch, retry: 0 })
  expect(await client.get('https://a.example/text').text()).toBe('plain')
  expect(await client.post('https://a.example/items/7', { json: { name: 'ky' } }).json()).toEqual({
    id: '7',
    name: 'ky',
  })
  expect(await rejection(client.get('https://127.0.0.1/').text())).toMatchObject({ code: 'blocked' })
})

it('ofetch takes the fetch', async () => {
  const { safeFetch } = await openWorld(reply)
  const client = ofetch.create({}, { fetch: safeFetch, Headers, AbortController })
  expect(await client('https://a.example/items/7', { method: 'POST', body: { name: 'ofetch' } })).toEqual({
    id: '7',
    name: 'ofetch',
  })
  expect(await rejection(client('https://127.0.0.1/', { retry: 0 }))).toMatchObject({
    cause: { code: 'blocked' },
  })
})

it('openapi-fetch takes the fetch', async () => {
  const { safeFetch } = await openWorld(reply)
  const client = createClient<Paths>({ baseUrl: 'https://a.example', fetch: safeFetch })
  const { data } = await client.POST('/items/{id}', {
    params: { path: { id: '7' } },
    body: { name: 'openapi' },
  })
  expect(data).toEqual({ id: '7', name: 'openapi' })
  const hostile = createClient<Paths>({ baseUrl: 'https://10.0.0.1', fetch: safeFetch })
  const call = hostile.POST('/items/{id}', { params: { path: { id: '7' } }, body: { name: 'x' } })
  expect(await rejection(call)).toMatchObject({ code: 'blocked' })
})
