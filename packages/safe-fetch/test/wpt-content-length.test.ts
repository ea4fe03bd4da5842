import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { startScriptedServer } from '@internal/loopback'
import { describeWithCorpora } from '@internal/vectors'
import { expect, it } from 'vitest'

import { createSafeFetch, isSafeFetchError } from '../src/index.js'

interface LengthCase {
  readonly input: string
  /** Bytes of the body that a browser delivers; null for a network error. */
  readonly output: number | null
}

/** The body of the WPT resource: 42 bytes, then the connection ends. */
const BODY = 'x'.repeat(42)

describeWithCorpora('WPT content-length', 'wpt-fetch/fetch/content-length/resources', (directory) => {
  const cases = JSON.parse(readFileSync(join(directory, 'content-lengths.json'), 'utf8')) as LengthCase[]

  it.each(cases)('$input: $output, or refused', async ({ input, output }) => {
    const server = await startScriptedServer((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\n${input}\r\n\r\n${BODY}`),
    )
    const safeFetch = createSafeFetch({ dangerouslyAllow: [server.host] })
    const outcome = await safeFetch.request(server.origin).then(
      ({ body }) => body.byteLength,
      (error: unknown) => error,
    )
    await server.close()
    // Stricter than a browser is fine; a body of another length, or one where there is none, never is.
    if (typeof outcome === 'number') expect(outcome).toBe(output)
    else expect(isSafeFetchError(outcome) && outcome.code).toMatch(/^(?:malformed|truncated)_response$/)
    await safeFetch.close()
  })

  it('a plain length is understood', () => {
    expect(cases).toContainEqual({ input: 'Content-Length: 42', output: 42 })
  })
})
