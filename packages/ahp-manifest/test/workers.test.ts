import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Uses the built package by its public names. */
const SITE = `
  import { defineManifest, withAhpDiscovery } from '@doorplate/ahp-manifest'
  import { parseRequest, validateResponse } from '@doorplate/ahp-manifest/messages'

  const manifest = defineManifest({
    name: 'Shelf',
    capabilities: [{ name: 'search', description: 'Finds reviews', mode: 'MODE2' }],
    content_signals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
  })

  const page = () => {
    const chunks = ['<!doctype html><meta charset="utf-8"><body>\\u2028 h\\u00e9llo <script>"</bo', 'dy>"</script>', '</bo', 'dy>']
    const body = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
        controller.close()
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/html' } })
  }

  const answer = async (request) => {
    const { query } = parseRequest(await request.json())
    const response = { status: 'success', response: { answer: query } }
    return Response.json({ ...response, valid: validateResponse(response).valid })
  }

  export default {
    fetch: withAhpDiscovery((request) => (request.method === 'POST' ? answer(request) : page()), manifest),
  }
`

describe('the built package in a Workers runtime', () => {
  let imports: readonly string[]
  let worker: Miniflare

  beforeAll(async () => {
    const { outputFiles, metafile } = await build({
      stdin: { contents: SITE, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'browser',
      external: ['node:*'],
    })
    imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path))
    const script = outputFiles.map(({ text }) => text).join('')
    worker = new Miniflare({ modules: true, script, compatibilityDate: '2025-12-01' })
  })

  afterAll(() => worker.dispose())

  it('is bundled without any Node built-in', () => {
    expect(imports).toEqual([])
  })

  it('serves the manifest, and confirms it by its tag', async () => {
    const response = await worker.dispatchFetch('http://site.example/.well-known/agent.json')
    expect(await response.json()).toMatchObject({ ahp: '0.1', modes: ['MODE1', 'MODE2'] })
    const headers = { 'if-none-match': response.headers.get('etag') ?? '' }
    expect(
      (await worker.dispatchFetch('http://site.example/.well-known/agent.json', { headers })).status,
    ).toBe(304)
  })

  it('puts the notice into a page that streams, byte by byte as it was', async () => {
    const response = await worker.dispatchFetch('http://site.example/')
    expect(response.headers.get('link')).toContain('rel="ahp-manifest agent-manifest"')
    expect(await response.text()).toMatch(
      /^<!doctype html><meta charset="utf-8"><body>\u2028 h\u00e9llo <script>"<\/body>"<\/script><section class="ahp-notice".*<\/section><\/body>$/,
    )
  })

  it('reads requests and judges responses', async () => {
    const body = JSON.stringify({ capability: 'search', query: 'Dune' })
    const response = await worker.dispatchFetch('http://site.example/agent/converse', {
      method: 'POST',
      body,
    })
    expect(await response.json()).toEqual({ status: 'success', response: { answer: 'Dune' }, valid: true })
  })
})
