import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReferenceServer, type ReferenceServer } from '../src/reference-server.js'
import { assetsFolder, createProject, testSettings, type Project } from './project.js'

let project: Project
let server: ReferenceServer

beforeAll(async () => {
  project = await createProject()
  await project.write(
    'README.md',
    '# House\n\n## Opening hours\n\nOpen from nine <script>alert(1)</script> to five.\n',
  )
  const settings = { trustedProxies: ['127.0.0.1'], tokenActionLimit: '3/day' } as const
  server = await startReferenceServer(testSettings(join(project.root, 'data'), settings), {
    projectRoot: project.root,
    assetsFolder,
    now: Date.now,
    log: console.error,
  })
})

afterAll(async () => {
  await server.stop({ graceMs: 0 })
  await project.remove()
})

function submit(form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.origin}/ask`, {
    method: 'POST',
    headers: { origin: server.origin, ...headers },
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
}

describe('the page for questions', () => {
  it('answers with the source, and with everything foreign as text', async () => {
    const response = await submit({ query: 'opening hours <img src=x>' })
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(text).toContain('href="/docs/guide/overview#opening-hours"')
    expect(text).toContain('&#60;img src=x&#62;')
    expect(text).not.toMatch(/<script>|<img/)
    expect(response.headers.get('content-security-policy')).not.toMatch(/unsafe|http|\*/)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('takes forms of its own alone', async () => {
    for (const origin of ['https://evil.test', 'null'])
      expect((await submit({ query: 'x', step: 'hand-over' }, { origin })).status).toBe(403)
  })

  it('refuses what is too long, empty or no method of its own', async () => {
    expect((await submit({ query: 'x'.repeat(40_000) })).status).toBe(413)
    expect((await submit({ query: 'x'.repeat(5000) })).status).toBe(400)
    expect((await submit({})).status).toBe(400)
    expect((await submit({ query: 'x', session: 'made up' })).status).toBe(400)
    const removed = await fetch(`${server.origin}/ask`, { method: 'DELETE' })
    expect([removed.status, removed.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })

  it('leads whoever is handed over to a page that waits', async () => {
    const response = await submit({ query: 'Is anybody there?', step: 'hand-over' })
    const location = response.headers.get('location') ?? ''
    expect([response.status, location]).toEqual([303, expect.stringMatching(/^\/ask\/wait\/[0-9a-f]{32}$/)])
    const text = await (await fetch(server.origin + location)).text()
    expect(text).toContain('Somebody is asked')
    expect(text).toContain('<a href="">look again</a>')
    expect(text).not.toContain('http-equiv="refresh"')
  })

  it('hands over no more for one who has many addresses than for one who has one', async () => {
    const statuses: number[] = []
    for (const address of [
      '2001:db8::1',
      '2001:db8::2',
      '2001:db8:0:0:f::',
      '2001:db8::4',
      '2001:db8:1::1',
    ]) {
      const form = { query: 'Is anybody there?', step: 'hand-over' }
      statuses.push((await submit(form, { 'x-forwarded-for': address })).status)
    }
    expect(statuses).toEqual([303, 303, 303, 429, 303])
  })

  it('says of a wait that is nobody’s that there is none', async () => {
    const response = await fetch(`${server.origin}/ask/wait/${'0'.repeat(32)}`)
    expect(await response.text()).toContain('No answer')
  })
})
