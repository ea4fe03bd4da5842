import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'
import { describe, expect, it } from 'vitest'
import {
  createDiscoveryBudget,
  discoverAllEntities,
  type DiscoverAllEntitiesOptions,
  type ReadIssue,
} from '../src/index.js'
import { fetchFor } from './safe.js'
import { Site, type Document } from './site.js'

const SECRET = 's3cr3t-value'

/** A site whose posts, not its pages, ask for a credential. */
async function guarded(scheme: Document): Promise<Site> {
  const site = await new Site({ counts: { post: 2, page: 1 } }).start()
  site.edit = (document, path) =>
    path.includes('well-known')
      ? {
          ...document,
          resources: [{ type: 'post', security: 'key' }, { type: 'page' }],
          security_schemes: { key: scheme },
        }
      : document
  return site
}

async function walk(site: Site, options: DiscoverAllEntitiesOptions, ...others: Site[]) {
  const issues: ReadIssue[] = []
  const onError = (issue: ReadIssue): unknown => issues.push(issue)
  const ids: string[] = []
  for await (const { id } of discoverAllEntities(site.origin, {
    fetch: fetchFor(site, ...others),
    onError,
    ...options,
  })) {
    ids.push(id)
  }
  return { ids, issues }
}

/** The paths of requests that carry the secret anywhere. */
function pathsWithSecret(site: Site): string[] {
  return site.requests
    .filter((request) => JSON.stringify(request).includes(SECRET))
    .map(({ path }) => path.replace(/\?.*/, ''))
}

it.each([
  [{ type: 'api_key', in: 'header', name: 'x-key' }, 'key'],
  [undefined, 'none'],
])(
  'an id that the manifest does not declare is told of, with those that it does (%j)',
  async (scheme, there) => {
    await using site = scheme ? await guarded(scheme) : await new Site().start()
    const { issues } = await walk(site, { credentials: { keys: SECRET }, types: [] })
    expect(issues).toMatchObject([
      {
        level: 'warning',
        code: 'unknown_scheme',
        message: `The manifest declares no security scheme "keys"; it declares ${there}`,
        document: 'manifest',
      },
    ])
    expect(pathsWithSecret(site)).toEqual([])
  },
)

const POSTS = ['/sitemap/post', '/entity/post/e0', '/entity/post/e1']

describe('credentials', () => {
  it.each([
    [{ type: 'api_key', in: 'header', name: 'X-Api-Key' }, { 'x-api-key': SECRET }],
    [{ type: 'oauth2', authorization_url: 'https://shop.test/auth' }, { authorization: `Bearer ${SECRET}` }],
  ])('of %j go into a header, only where the manifest asks for them', async (scheme, headers) => {
    await using site = await guarded(scheme)
    let asked = 0
    const key = (): Promise<string> => Promise.resolve((asked++, SECRET))
    expect((await walk(site, { credentials: { key } })).ids).toHaveLength(3)
    expect(pathsWithSecret(site)).toEqual(expect.arrayContaining(POSTS))
    expect(pathsWithSecret(site)).toHaveLength(POSTS.length)
    expect(site.requests.find(({ path }) => path === '/sitemap/post')?.headers).toMatchObject(headers)
    expect(asked).toBe(1)
  })

  it('in the query are sent, never shown', async () => {
    await using site = await guarded({ type: 'api_key', in: 'query', name: 'key' })
    site.answer(`/entity/post/e0?key=${SECRET}`, 500, '')
    site.fault(`/entity/post/e1?key=${SECRET}`, (request) => request.destroy())
    const { issues } = await walk(site, { credentials: { key: SECRET } })
    expect(pathsWithSecret(site)).toEqual(expect.arrayContaining(POSTS))
    expect(issues).toHaveLength(2)
    for (const { message, url, cause } of issues) {
      expect(`${message} ${url} ${String(cause?.cause)} ${cause?.stack ?? ''}`).not.toContain(SECRET)
    }
  })

  it('go to no other origin unless it is allowed', async () => {
    for (const allowed of [false, true]) {
      await using site = await guarded({ type: 'api_key', in: 'header', name: 'X-Api-Key' })
      await using other = await new Site({ counts: { post: 2 } }).start()
      const edit = site.edit
      const sitemaps = [{ type: 'post', url: `${other.origin}/sitemap/post` }]
      site.edit = (document, path) =>
        path === '/index.json'
          ? { ...document, sitemaps, checksum: checksumOf(sitemaps) }
          : edit(document, path)
      const options = {
        credentials: { key: SECRET },
        headers: { 'x-own': SECRET },
        ...(allowed && { credentialOrigins: [`${other.origin}/`] }),
      }
      expect((await walk(site, options, other)).ids).toEqual(['post:e0', 'post:e1'])
      expect(pathsWithSecret(other)).toEqual(allowed ? POSTS : [])
    }
  })

  it('are not asked of the prototype, and not sent for a scheme of no security', async () => {
    await using site = await guarded({ type: 'none' })
    await walk(site, { credentials: { key: SECRET } })
    expect(pathsWithSecret(site)).toEqual([])
  })

  it.each(['Host', 'Content-Length', 'Proxy-Authorization', 'bad name', 'User-Agent'])(
    'are not written into %s, whatever the manifest says',
    async (name) => {
      await using site = await guarded({ type: 'api_key', in: 'header', name })
      const { issues } = await walk(site, { credentials: { key: SECRET } })
      expect(issues).toMatchObject([{ code: 'credential_refused', document: 'sitemap' }])
      expect(pathsWithSecret(site)).toEqual([])
    },
  )

  it('that never come do not outlast the signal', async () => {
    await using site = await guarded({ type: 'api_key', in: 'header', name: 'X-Api-Key' })
    const controller = new AbortController()
    const key = (): Promise<string> => {
      setImmediate(() => {
        controller.abort('enough')
      })
      return new Promise(() => undefined)
    }
    await expect(walk(site, { credentials: { key }, signal: controller.signal })).rejects.toBe('enough')
  })

  it('that never come do not outlast the deadline', async () => {
    await using site = await guarded({ type: 'api_key', in: 'header', name: 'X-Api-Key' })
    const key = (): Promise<string> => new Promise(() => undefined)
    const budget = createDiscoveryBudget({ deadlineMs: 1_000 })
    await expect(walk(site, { credentials: { key }, budget, onError: 'throw' })).rejects.toMatchObject({
      code: 'budget_exceeded',
      limit: 'deadlineMs',
    })
  })

  it('that are no text end the run', async () => {
    await using site = await guarded({ type: 'api_key', in: 'header', name: 'X-Api-Key' })
    const credentials = { key: () => 5 as never }
    await expect(walk(site, { credentials })).rejects.toMatchObject({
      code: 'invalid_option',
      option: 'credentials',
    })
  })
})
