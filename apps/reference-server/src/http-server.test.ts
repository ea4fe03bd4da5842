import { once } from 'node:events'
import { mkdtemp, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { X509Certificate } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeThrowawayCertificate } from './demo/throwaway-certificate.js'
import { listen, type HttpServer } from './http-server.js'
import { createLogger } from './operate/logger.js'
import { defaultSettings } from './settings/read-settings.js'

it('answers a request that came in before there was somebody to answer it', async () => {
  const server = await listen(
    { ...defaultSettings('/'), port: 0 },
    { logger: createLogger({ logLevel: 'silent' }) },
  )
  const early = request(server.origin, { agent: false }).end()
  await once(early, 'finish')
  server.serve((_request, response) => response.end('here'))
  const [response] = (await once(early, 'response')) as [IncomingMessage]
  expect(await text(response)).toBe('here')
  await server.stop({ graceMs: 0 })
})

describe('a renewed certificate', () => {
  let folder: string
  let server: HttpServer
  let lines: Record<string, unknown>[]

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tls-'))
    lines = []
  })

  afterEach(async () => {
    await server.stop({ graceMs: 0 })
    await rm(folder, { recursive: true })
  })

  /** Checks the files all the time, or never. */
  async function open({ tlsCheckMs }: { readonly tlsCheckMs: number }): Promise<void> {
    const files = { tlsCert: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem') }
    const logger = createLogger(
      { logLevel: 'info' },
      { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    )
    server = await listen({ ...defaultSettings('/'), ...files, port: 0 }, { logger, tlsCheckMs })
    server.serve((_request, response) => response.end('here'))
  }

  async function connected(): Promise<TLSSocket> {
    const socket = connect({ port: Number(new URL(server.origin).port), rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    return socket
  }

  /** What a new visitor is shown. */
  async function shown(): Promise<string> {
    const socket = await connected()
    const { fingerprint256 } = socket.getPeerCertificate()
    socket.destroy()
    return fingerprint256
  }

  const known = (cert: string): string => new X509Certificate(cert).fingerprint256
  const NEVER = { tlsCheckMs: 2_000_000_000 }

  it('is taken into use when asked, and open connections go on', async () => {
    const old = await makeThrowawayCertificate(folder)
    await open(NEVER)
    expect(await shown()).toBe(known(old.cert))
    const kept = await connected()

    const renewed = await makeThrowawayCertificate(folder)
    expect(await shown()).toBe(known(old.cert))
    await server.renewCertificate?.()
    expect(await shown()).toBe(known(renewed.cert))
    expect(server.certificate()).toBe(renewed.cert)
    expect(lines).toMatchObject([{ level: 'info', msg: 'certificate renewed' }])

    kept.write('GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n')
    expect(await text(kept)).toMatch(/^HTTP\/1.1 200 /)
  })

  it('that is no good leaves the old one in use, with an error in the log, until there is a good one', async () => {
    const { cert, key, certFile, keyFile } = await makeThrowawayCertificate(folder)
    await open(NEVER)
    const other = await makeThrowawayCertificate(folder)
    for (const [badCert, badKey] of [
      ['', key],
      [cert, ''],
      [cert.slice(0, 200), key],
      [cert, other.key],
      ['rubbish', 'rubbish'],
    ] as const) {
      await writeFile(certFile, badCert)
      await writeFile(keyFile, badKey)
      await server.renewCertificate?.()
      expect(await shown()).toBe(known(cert))
      expect(lines.splice(0)).toMatchObject([{ level: 'error', msg: 'the certificate in use is kept' }])
    }
    await unlink(keyFile)
    await server.renewCertificate?.()
    expect(lines.splice(0)).toMatchObject([{ reason: expect.stringMatching(/^TLS_KEY .* ENOENT/) as string }])

    await writeFile(certFile, other.cert)
    await writeFile(keyFile, other.key)
    await Promise.all([server.renewCertificate?.(), server.renewCertificate?.()])
    expect(await shown()).toBe(known(other.cert))
    expect(lines).toHaveLength(1)
  })

  it('is noticed by its files, behind links too', async () => {
    const [before, after] = [await mkdtemp(join(folder, 'a-')), await mkdtemp(join(folder, 'b-'))]
    const old = await makeThrowawayCertificate(before)
    const renewed = await makeThrowawayCertificate(after)
    const lead = async (to: string): Promise<void> => {
      for (const name of ['cert.pem', 'key.pem']) await symlink(join(to, name), join(folder, name))
    }
    await lead(before)
    await open({ tlsCheckMs: 20 })
    expect(await shown()).toBe(known(old.cert))
    for (const name of ['cert.pem', 'key.pem']) await unlink(join(folder, name))
    await lead(after)
    while ((await shown()) === known(old.cert)) await new Promise((looked) => setTimeout(looked, 20))
    expect(await shown()).toBe(known(renewed.cert))
  })
})
