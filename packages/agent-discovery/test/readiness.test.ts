import type { CheckResult } from '@doorplate/conformance-kit'
import { describe, expect, it } from 'vitest'
import { checkReadiness, READINESS_CHECKS, requirementOf } from '../src/readiness.js'
import { startSite, type Route } from './start-site.js'

const LLMS: Route = { type: 'text/plain', body: '# Example\n- [a](/a)' }
const page = (head: string): Route => ({ type: 'text/html', body: `<!doctype html><head>${head}</head>` })
const OPENAPI: Route = { json: { openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: {} } }

async function checksOf(
  routes: Readonly<Record<string, Route>>,
): Promise<{ status: string; of: (id: string) => CheckResult | undefined }> {
  const site = await startSite(routes)
  const report = await checkReadiness(site.origin, { fetch: site.fetch })
  return { status: report.status, of: (id) => report.checks.find((check) => check.id === id) }
}

describe('checkReadiness', () => {
  it('passes a site that offers little, and keeps what does not concern it out', async () => {
    const { status, of } = await checksOf({
      '/': page('<link rel="describedby" href="/llms.txt">'),
      '/llms.txt': LLMS,
    })
    expect(status).toBe('passed')
    expect(of('read.llms_txt')?.status).toBe('passed')
    for (const id of [
      'api.oauth',
      'agents.a2a',
      'agents.mcp',
      'agents.ahp',
      'read.aadp',
      'api.description',
    ]) {
      expect(of(id)).toMatchObject({
        status: 'skipped',
        message: 'not applicable: the site offers nothing of this kind',
      })
    }
  })

  it('says what is missing as a warning or a note, never as a failure', async () => {
    const { status, of } = await checksOf({ '/': page('<link rel="mcp" href="/mcp">') })
    expect(of('read.llms_txt')).toMatchObject({ status: 'warning', message: 'missing' })
    expect(of('api.description')).toMatchObject({ status: 'warning', message: 'missing' })
    expect(of('read.markdown')).toMatchObject({
      status: 'passed',
      findings: [{ level: 'note', message: 'missing' }],
    })
    expect(status).toBe('passed')
  })

  it('judges a manifest that is named but not there by what it was to be', async () => {
    const { of } = await checksOf({
      '/': page('<link rel="ahp-manifest" type="application/agent+json" href="/.well-known/agent.json">'),
    })
    expect(of('agents.ahp')?.message).toBe('broken: ahp-manifest is absent (status-404)')
    expect(of('agents.a2a')?.status).toBe('skipped')
  })

  it('fails what is broken, with the reason, the place and the remedy', async () => {
    const { status, of } = await checksOf({
      '/': page('<link rel="service-desc" href="/openapi.json"><link rel="describedby" href="/llms.txt">'),
      '/llms.txt': page(''),
      '/.well-known/agent.json': { json: { name: 'x' } },
      '/.well-known/ai-manifest.json': { json: { aadp_version: '1.0' } },
    })
    expect(status).toBe('failed')
    expect(of('site.links_resolve')).toMatchObject({ status: 'failed', finding_count: 2 })
    expect(of('read.llms_txt')).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/^broken: llms-txt is soft-404 \(html-for-text/) as unknown,
      hint: expect.stringContaining('llms.txt') as unknown,
    })
    expect(of('read.aadp')?.message).toMatch(/^broken: aadp-manifest is invalid \(AADP1-MAN/)
    expect(of('agents.a2a')?.message).toMatch(/^broken: unknown-agent-json is invalid \(signature-mismatch\)/)
  })

  it('warns of a host that answers everything, of silent resources and of old forms', async () => {
    const { of } = await checksOf({
      '*': page(''),
      '/llms.txt': LLMS,
      '/openapi.json': OPENAPI,
      '/.well-known/mcp/server-card.json': { json: { serverInfo: { name: 'w', version: '1' } } },
    })
    expect(of('site.honest_404')?.status).toBe('warning')
    expect(of('site.named')).toMatchObject({
      status: 'warning',
      message: 'missing: nothing names this mcp-server-card',
    })
    expect(of('agents.mcp')).toMatchObject({
      status: 'warning',
      message: 'outdated: mcp-server-card: superseded-shape: server cards are SEP-2127 now',
    })
  })

  it('takes a redirect of everything to a page for no honest 404', async () => {
    const { of } = await checksOf({ '/': page(''), '*': { status: 301, headers: { location: '/' } } })
    expect(of('site.honest_404')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('redirect-to-html') as string,
    })
    expect(of('agents.a2a')?.status).toBe('skipped')
  })

  it('asks to name only what can be named', async () => {
    const { of } = await checksOf({
      '/': page(''),
      '/.well-known/security.txt': {
        type: 'text/plain',
        body: 'Contact: mailto:a@a.example\nExpires: 2030-01-01T00:00:00Z\n',
      },
      '/.well-known/oauth-protected-resource': (request, response) => {
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify({ resource: `http://${request.headers.host ?? ''}/`, authorization_servers: [] }),
        )
      },
    })
    expect(of('api.oauth')).toMatchObject({ status: 'passed' })
    expect(of('site.named')).toMatchObject({ status: 'skipped' })
  })

  it('does not judge what it could not see', async () => {
    const { of } = await checksOf({ '/': page(''), '*': { status: 403 } })
    expect(of('read.llms_txt')).toMatchObject({ status: 'inconclusive' })
  })

  it('ends where there is no page', async () => {
    const { of } = await checksOf({ '/': { status: 500 } })
    expect(of('site.page')).toMatchObject({ status: 'failed', message: 'broken: status-500' })
    expect(of('read.llms_txt')?.status).toBe('skipped')
  })

  it('has a remedy for everything it finds', () => {
    for (const { id, hint } of READINESS_CHECKS) expect(hint, id).toMatch(/^[A-Z].{20,}\.$/)
  })

  it('cites only requirements that exist', () => {
    for (const { requirements } of READINESS_CHECKS)
      for (const id of requirements) expect(requirementOf(id)).toBeDefined()
  })
})
