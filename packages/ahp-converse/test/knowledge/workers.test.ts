import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { expect, it } from 'vitest'

const ENTRY = fileURLToPath(new URL('../../src/knowledge.ts', import.meta.url))

const WORKER = `
import { createKnowledge } from ${JSON.stringify(ENTRY)}
export default {
  async fetch(request) {
    const documents = [
      { url: '/returns', content: '# Returns\\n\\nWithin 30 days &amp; unused.' },
      { url: '/ja', format: 'html', content: '<h1>返品</h1><p>三十日以内であれば返品できます。</p>' },
    ]
    const knowledge = await createKnowledge({ documents })
    const turn = { capability: 'x', contentType: 'text/answer', history: [], sessionId: 's', maxTokens: 500 }
    const { answer } = await knowledge.answer({ ...turn, query: await request.text(), signal: request.signal })
    return new Response(answer)
  },
}`

it('knowledge answers on Workers', async () => {
  const bundle = await build({
    stdin: { contents: WORKER, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker'],
    write: false,
  })
  const script = bundle.outputFiles[0]?.text ?? ''
  const worker = new Miniflare({ modules: true, script, compatibilityDate: '2025-01-01' })
  try {
    for (const [body, expected] of [
      ['How do returns work?', 'Within 30 days & unused.'],
      ['返品できますか', '三十日以内であれば返品できます。'],
    ] as const) {
      const response = await worker.dispatchFetch('http://worker/', { method: 'POST', body })
      expect(await response.text()).toBe(expected)
    }
  } finally {
    await worker.dispose()
  }
}, 120_000)
