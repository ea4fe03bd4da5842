import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { discover, SOURCE_NAMES, type DiscoverOptions } from '../src/index.js'
import { startSite, type Route } from './start-site.js'

type Schema = Readonly<Record<string, unknown>>

const published = JSON.parse(
  readFileSync(new URL('../../../schemas/discovery/v1/result.schema.json', import.meta.url), 'utf8'),
) as Schema & { $defs: { source: { properties: { name: { enum: string[] } } } } }

/** The published schema lets readers ignore members; what is written must all be described. */
function closed(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(closed)
  const members = Object.entries(schema).map(([name, value]) => [name, closed(value)])
  return {
    ...Object.fromEntries(members),
    ...('properties' in schema && { additionalProperties: false }),
  } as unknown
}

function validator(schema: unknown): (data: unknown) => unknown {
  const ajv = new Ajv2020({ strict: true, allErrors: true })
  addFormats.default(ajv)
  const validate = ajv.compile(schema as Schema)
  return (data) => (validate(data) ? [] : validate.errors)
}

const errorsOf = validator(closed({ ...published, $id: 'closed' }))

const PAGE = `<!doctype html><head><link rel="describedby" href="/llms.txt" title="t" hreflang="en">
<link rel="service-desc" href="https://files.example/o.json?X-Amz-Signature=a&X-Amz-Expires=60&X-Amz-Credential=x">
<link rel="ahp-manifest" href="/agent.json"></head><body><form toolname="find" tooldescription="Finds"></form>
<section class="ahp-notice">See <a href="/agent.json">this</a></section>`

const SITES: readonly [string, Readonly<Record<string, Route>>, DiscoverOptions?][] = [
  [
    'a site that offers much',
    {
      '/': {
        type: 'text/html',
        headers: {
          link: '</x.json>; rel="service-desc"; anchor="https://other.example/", </o>; rel="alternate"; type="text/markdown"; title*=en\'\'x',
          'content-usage': 'train-ai=n',
          'www-authenticate': 'Bearer resource_metadata="/.well-known/oauth-protected-resource"',
        },
        body: PAGE,
      },
      '/llms.txt': { type: 'text/plain', body: '# x\n- [a](/a)\n- [b](/openapi.json): OpenAPI' },
      '/robots.txt': {
        type: 'text/plain',
        body: 'User-agent: *\nContent-Signal: search=yes, use=reference\nContent-Usage: /a train-ai=n\nAgentmap: /ard.json',
      },
      '/.well-known/agent.json': { json: { name: 'x' } },
      '/.well-known/ard.json': {
        json: {
          entries: [
            { identifier: 'urn:air:x:y:1', displayName: 'X', type: 'application/json', data: { a: 1 } },
          ],
        },
      },
      '/.well-known/agent-card.json': { status: 302, headers: { location: '/card' } },
      '/auth.md': { status: 403 },
    },
    {
      resolver: {
        resolveTxt: () => Promise.resolve([['v=aid1;u=https://mcp.example/;p=mcp;s=An agent']]),
        resolveSvcb: () => Promise.resolve(['1 mcp.example. port=443 key65400="https://mcp.example/c"']),
      },
    },
  ],
  ['a site that offers nothing', {}],
  ['a site that asks to wait', { '*': { status: 429, headers: { 'retry-after': '7' } } }],
  ['a site that breaks off', { '*': (_request, response) => response.destroy() }],
  ['a site by HEAD', { '/': { type: 'text/html', body: PAGE } }, { method: 'HEAD' }],
  [
    'a site that is cut short',
    { '/': { type: 'text/html', body: PAGE } },
    { maxRequests: 3, maxResources: 1 },
  ],
]

describe('the published schema', () => {
  it.each(SITES)('describes the result of %s, member by member', async (_name, routes, options) => {
    const site = await startSite(routes)
    const result = await discover(site.origin.replace('127.0.0.1', 'localhost'), {
      fetch: (url, init) => site.fetch((url as string).replace('localhost', '127.0.0.1'), init),
      ...options,
    })
    expect(errorsOf(JSON.parse(JSON.stringify(result)))).toEqual([])
  })

  it('describes a page that was not fetched', async () => {
    expect(errorsOf(JSON.parse(JSON.stringify(await discover('http://127.0.0.1:9/'))))).toEqual([])
  })

  it('refuses what is no result, and knows every source', () => {
    const errors = validator(published)
    expect(errors({})).not.toEqual([])
    expect(published.$defs.source.properties.name.enum).toEqual(SOURCE_NAMES)
  })
})
