import { describe, expect, it } from 'vitest'
import type { ProbeRequest } from '../request-port.js'
import { followRedirects } from './follow-redirects.js'
import type { Hop } from './hop.js'

/** Sends a request to where the first response leads, and tells what each hop was asked. */
async function follow(
  request: ProbeRequest,
  status: number,
  location: string,
): Promise<{ readonly asked: readonly unknown[]; readonly failure?: unknown }> {
  const asked: unknown[] = []
  const hop: Hop = ({ url, method, body }) => {
    asked.push([method, url, body])
    const isFirst = asked.length === 1
    const headers: Readonly<Record<string, string>> = isFirst ? { location } : {}
    const code = isFirst ? status : 200
    return Promise.resolve({ url, redirected: false, status: code, headers, body: new Uint8Array() })
  }
  const port = followRedirects(hop, () => ({}), { timeoutMs: 1_000, maxRedirects: 2 })
  const { signal } = new AbortController()
  try {
    await port({ ...request, signal, maxResponseBytes: 1_000 })
    return { asked }
  } catch (failure) {
    return { asked, failure }
  }
}

const POST: ProbeRequest = { url: 'https://one.test/ask', method: 'POST', body: '{"secret":1}' }

describe('a redirect', () => {
  it.each([307, 308])('takes no body to another origin: %i', async (status) => {
    const { asked, failure } = await follow(POST, status, 'https://other.test/')
    expect(asked).toHaveLength(1)
    expect(failure).toMatchObject({ code: 'redirect_refused' })
  })

  it.each([301, 302, 303])('makes a GET without a body of a POST: %i', async (status) => {
    const { asked } = await follow(POST, status, 'https://other.test/')
    expect(asked[1]).toEqual(['GET', 'https://other.test/', undefined])
  })

  it('keeps method and body on the same origin where HTTP says so', async () => {
    const { asked } = await follow(POST, 308, '/ask/')
    expect(asked[1]).toEqual(['POST', 'https://one.test/ask/', POST.body])
  })

  it('takes a GET anywhere', async () => {
    const { asked } = await follow({ url: 'https://one.test/' }, 302, 'https://other.test/')
    expect(asked[1]).toEqual(['GET', 'https://other.test/', undefined])
  })
})
