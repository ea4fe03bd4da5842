import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReferenceServer, type ReferenceServer } from '../src/reference-server.js'
import { assetsFolder, createProject, testSettings, type Project } from './project.js'

let project: Project
let server: ReferenceServer

beforeAll(async () => {
  project = await createProject()
  await project.write('README.md', '# <b>House</b> & garden\n\nOpen from nine to five.\n')
  server = await startReferenceServer(testSettings(join(project.root, 'data'), { records: 120 }), {
    ...{ projectRoot: project.root, assetsFolder, now: Date.now, log: console.error },
  })
})

afterAll(async () => {
  await server.stop({ graceMs: 0 })
  await project.remove()
})

async function page(path: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(server.origin + path)
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'/)
  return { status: response.status, text: await response.text() }
}

describe('the catalogue', () => {
  it('lists the types, and which are protected', async () => {
    const { text } = await page('/catalogue')
    expect(text).toContain('href="/catalogue/guide"')
    expect(text).toContain('120 documents')
    expect(text.match(/chip fair">protected/g)).toHaveLength(1)
  })

  it('leads through the pages of a type', async () => {
    const first = await page('/catalogue/record')
    const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first.text) ?? []
    const second = await page(next.replaceAll('&#38;', '&'))
    expect(first.text.match(/<time /g)).toHaveLength(50)
    expect(second.text).toContain('href="/catalogue/record/r0000050"')
    expect(second.text).not.toContain('href="/catalogue/record/r0000049"')
  })

  it('shows an entity with its checksum computed anew, and the fields it is served with', async () => {
    const { text } = await page('/catalogue/guide/overview')
    const { checksum } = (await (
      await fetch(`${server.origin}/ai/v1.0/entities/guide/overview.json`)
    ).json()) as {
      checksum: string
    }
    expect(text).toContain('chip good">verified')
    expect(text).toContain(checksum)
    expect(text).toContain('<code>etag</code>')
    expect(text).toContain('&#60;b&#62;House&#60;/b&#62; &#38; garden')
    expect(text).not.toContain('<b>House')
  })

  it('shows an entity in the language that is asked for', async () => {
    const { text } = await page('/catalogue/post/why-checksums?locale=de')
    expect(text).toContain('lang="de"')
    expect(text).toContain('Warum jedes Dokument')
    expect(text).toContain('href="/catalogue/post/why-checksums?locale=en"')
    expect((await page('/catalogue/post/why-checksums?locale="><x')).status).toBe(404)
  })

  it('says of a protected type that it is, and shows nothing of it', async () => {
    for (const path of ['/catalogue/order', '/catalogue/order/ord-2026-001']) {
      const { status, text } = await page(path)
      expect(status).toBe(200)
      expect(text).toContain('Without a credential the answer is 401')
      expect(text).not.toMatch(/total_cents|ORD-2026-001/)
    }
  })

  it.each([
    '/catalogue/nope',
    '/catalogue/guide/nope',
    '/catalogue/guide/..%2f..%2fhealth',
    '/catalogue/constructor/x',
    '/catalogue/record?cursor=%00',
    '/catalogue/guide/overview/x',
  ])('has nothing at %s', async (path) => {
    expect((await page(path)).status).toBe(404)
  })
})
