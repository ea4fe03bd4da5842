import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { addLinkToResponses, withLinkHeader } from '../src/publish.js'
import { startSite } from './start-site.js'

const LINK = '</llms.txt>; rel="describedby"'

describe('withLinkHeader', () => {
  const answer = async (response: Response): Promise<Response> =>
    withLinkHeader(() => response, LINK)(new Request('https://x.example/'))

  it.each<[string, () => Response, string | null]>([
    ['an ordinary response', () => new Response('x'), LINK],
    [
      'one with links of its own',
      () => new Response('x', { headers: { link: '</a>; rel=next' } }),
      `</a>; rel=next, ${LINK}`,
    ],
    ['one that has them already', () => new Response('x', { headers: { link: LINK } }), LINK],
    ['a redirect', () => Response.redirect('https://x.example/y', 302), LINK],
    ['no content', () => new Response(null, { status: 204 }), LINK],
    ['not modified', () => new Response(null, { status: 304 }), LINK],
    ['an error', () => Response.error(), null],
  ])('adds to %s', async (_name, make, link) => {
    const response = await answer(make())
    expect(response.headers.get('link')).toBe(link)
    expect(response.status).toBe(make().status)
    expect(await response.text()).toBe(await make().text())
  })

  it('passes a streamed body on as it comes, and errors as they are', async () => {
    const body = new ReadableStream({
      pull: (controller) => {
        controller.enqueue(new TextEncoder().encode('x'))
      },
    })
    const reader = (await answer(new Response(body))).body?.getReader()
    expect((await reader?.read())?.value).toEqual(new TextEncoder().encode('x'))
    await reader?.cancel()
    await expect(
      withLinkHeader(() => Promise.reject(new Error('mine')), LINK)(new Request('https://x.example/')),
    ).rejects.toThrow('mine')
  })
})

describe('addLinkToResponses', () => {
  const middleware = addLinkToResponses(LINK)

  it.each<[string, (response: ServerResponse) => void, string]>([
    ['an implicit head', (response) => response.end('x'), LINK],
    [
      'setHeader',
      (response) => response.setHeader('link', '</a>; rel=next').end('x'),
      `</a>; rel=next, ${LINK}`,
    ],
    [
      'several values',
      (response) => response.setHeader('link', ['</a>; rel=next', '</b>; rel=prev']).end('x'),
      `</a>; rel=next, </b>; rel=prev, ${LINK}`,
    ],
    [
      'writeHead with an object',
      (response) => response.writeHead(201, { Link: '</a>; rel=next', 'x-a': 'b' }).end('x'),
      `</a>; rel=next, ${LINK}`,
    ],
    ['writeHead with a reason', (response) => response.writeHead(200, 'Fine', { 'x-a': 'b' }).end('x'), LINK],
    [
      'writeHead with a list',
      (response) => response.writeHead(200, ['link', '</a>; rel=next', 'x-a', 'b']).end('x'),
      `</a>; rel=next, ${LINK}`,
    ],
    [
      'a stream',
      (response) => {
        response.write('x')
        response.end()
      },
      LINK,
    ],
    ['not modified', (response) => response.writeHead(304).end(), LINK],
  ])('adds to a response made by %s', async (_name, respond, link) => {
    const site = await startSite({
      '/': (request, response) => {
        middleware(request, response, () => {
          respond(response)
        })
      },
    })
    const response = await site.fetch(site.origin)
    expect(response.headers.get('link')).toBe(link)
    if (response.status !== 304) expect(await response.text()).toBe('x')
  })

  it('comes too late without harm', async () => {
    const site = await startSite({
      '/': (request, response) => {
        response.writeHead(200)
        middleware(request, response)
        response.end('x')
      },
    })
    expect(await (await site.fetch(site.origin)).text()).toBe('x')
  })
})
