import { describe, expect, it } from 'vitest'
import { createManifestHandler } from './manifest-handler.js'

const MANIFEST = { ahp: '0.1', modes: ['MODE1' as const], content_signals: { ai_input: true } }
const handle = createManifestHandler(MANIFEST)

describe('createManifestHandler', () => {
  it('serves the manifest with its type, its tag, its lifetime and the Link field', async () => {
    const response = await handle(request())
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'public, max-age=3600',
      'content-location': '/.well-known/agent.json',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      link: '</.well-known/agent.json>; rel="ahp-manifest agent-manifest"; type="application/agent+json"',
    })
    const body = await response.text()
    expect(JSON.parse(body)).toEqual(MANIFEST)
    expect(response.headers.get('content-length')).toBe(String(body.length))
  })

  it('answers a reader that has it with 304, by any form of its tag', async () => {
    const etag = (await handle(request())).headers.get('etag')!
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const response = await handle(request({ headers: { 'if-none-match': tag } }))
      expect(response.status).toBe(304)
      expect(response.headers.get('etag')).toBe(etag)
      expect(await response.text()).toBe('')
    }
    expect((await handle(request({ headers: { 'if-none-match': '"x"' } }))).status).toBe(200)
  })

  it('has another tag for another manifest, and the same for the same', async () => {
    const tagOf = async (name: string): Promise<string | null> =>
      (await createManifestHandler({ ...MANIFEST, name })(request())).headers.get('etag')
    expect(await tagOf('a')).toBe(await tagOf('a'))
    expect(await tagOf('a')).not.toBe(await tagOf('b'))
  })

  it('answers HEAD as GET, without the body', async () => {
    const get = await handle(request())
    const head = await handle(request({ method: 'HEAD' }))
    expect(head.body).toBeNull()
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers))
  })

  it('answers other methods with 405 in the form of errors, and OPTIONS with what it allows', async () => {
    const response = await handle(request({ method: 'POST' }))
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(response.headers.get('link')).not.toBeNull()
    expect(await response.json()).toMatchObject({ status: 'error', code: 'invalid_request' })
    const preflight = await handle(request({ method: 'OPTIONS' }))
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS')
  })

  it('keeps the lifetime and the origin it is given', async () => {
    const { headers } = await createManifestHandler(MANIFEST, {
      maxAgeSeconds: 0,
      allowOrigin: 'https://a.example',
    })(request())
    expect(headers.get('cache-control')).toBe('public, max-age=0')
    expect(headers.get('access-control-allow-origin')).toBe('https://a.example')
    expect(headers.get('vary')).toBe('Origin')
  })

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses a lifetime of %s', (maxAgeSeconds) => {
    expect(() => createManifestHandler(MANIFEST, { maxAgeSeconds })).toThrow(
      expect.objectContaining({
        code: 'invalid_option',
        message: expect.stringContaining('maxAgeSeconds') as string,
      }) as Error,
    )
  })
})

function request(init?: RequestInit): Request {
  return new Request('https://site.example/.well-known/agent.json', init)
}
