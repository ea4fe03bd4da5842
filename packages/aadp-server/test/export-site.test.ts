import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EntityV1, type SitemapIndexV1, type SitemapV1, validateDocument } from '@doorplate/aadp-schemas'
import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exportSite } from '../src/export.js'
import { type Fault, unauthorized } from '../src/index.js'
import { declareShop, makeProducts, ORIGIN, productResource } from './shop.js'

let directory = ''

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'aadp-export-'))
})

afterEach(() => rm(directory, { recursive: true, force: true }))

/** What a host of files would answer. */
async function read<Document>(url: string): Promise<Document> {
  return JSON.parse(
    await readFile(join(directory, decodeURIComponent(new URL(url).pathname)), 'utf8'),
  ) as Document
}

test('a reader that knows nothing but the folder finds every entity', async () => {
  const shop = declareShop([productResource(makeProducts(23)), productResource([], { type: 'post' })], {
    pageSize: 10,
    routes: { entity: '/café/{type}/{id}' },
  })
  const files = await exportSite(shop, directory)
  const manifest = await read<ReturnType<typeof shop.manifest>>(`${ORIGIN}/.well-known/ai-manifest.json`)
  const index = await read<SitemapIndexV1>(manifest.discovery.sitemap_index)
  expect(validateDocument({ version: '1.0', kind: 'sitemap-index', data: index }).issues).toEqual([])
  expect(index.checksum).toBe(checksumOf(index.sitemaps))
  expect(index.sitemaps.map(({ type, count }) => [type, count])).toEqual([
    ['product', 10],
    ['product', 10],
    ['product', 3],
    ['post', 0],
  ])
  const found: string[] = []
  for (const { url } of index.sitemaps) {
    const sitemap = await read<SitemapV1>(url)
    expect(validateDocument({ version: '1.0', kind: 'sitemap', data: sitemap }).issues).toEqual([])
    expect(sitemap.checksum).toBe(checksumOf(sitemap.items))
    expect(sitemap.cursor).toEqual({ next: null })
    for (const item of sitemap.items) {
      const entity = await read<EntityV1>(item.url)
      expect(entity).toMatchObject({ id: item.id, checksum: checksumOf(entity.data) })
      found.push(entity.id)
    }
  }
  expect(found).toEqual(makeProducts(23).map(({ slug }) => `product:${slug}`))
  expect(files).toHaveLength(1 + 3 + 1 + 4 + 23)
})

test('the host is told the headers of every file', async () => {
  const files = await exportSite(declareShop([productResource(makeProducts(1))]), directory)
  const list: unknown = JSON.parse(await readFile(join(directory, 'aadp-export.json'), 'utf8'))
  expect(list).toEqual(files)
  const text = await readFile(join(directory, '_headers'), 'utf8')
  expect(text).toContain(
    '/ai/v1.0/entities/product/product-00.json\n  content-type: application/json\n  cache-control: public, max-age=300\n',
  )
  for (const { file, headers } of files.filter((exported) => exported.path.startsWith('/ai/v1.0/s'))) {
    const { checksum } = JSON.parse(await readFile(join(directory, file), 'utf8')) as { checksum: string }
    expect(headers['etag']).toBe(`"${checksum}"`)
  }
  expect(text).toContain('/.well-known/api-catalog\n  content-type: application/linkset+json;')
})

test('a later export replaces the earlier one and leaves nothing of it', async () => {
  await exportSite(declareShop([productResource(makeProducts(3))]), directory)
  await exportSite(declareShop([productResource(makeProducts(2))]), directory)
  expect(existsSync(join(directory, 'ai/v1.0/entities/product/product-01.json'))).toBe(true)
  expect(existsSync(join(directory, 'ai/v1.0/entities/product/product-02.json'))).toBe(false)
})

test('a list of files that leads out of the folder deletes nothing there', async () => {
  const victim = join(directory, 'victim.txt')
  await writeFile(victim, 'x')
  const inner = join(directory, 'site')
  await mkdir(inner)
  await writeFile(
    join(inner, 'aadp-export.json'),
    JSON.stringify([{ path: '/../victim.txt', file: '../victim.txt', headers: {} }]),
  )
  await expect(exportSite(declareShop([]), inner)).rejects.toMatchObject({ code: 'directory_not_empty' })
  await exportSite(declareShop([]), inner, { force: true })
  expect(existsSync(victim)).toBe(true)
})

test('a folder with other things is not written to unless it is said', async () => {
  await writeFile(join(directory, 'mine.txt'), 'x')
  const shop = declareShop([])
  await expect(exportSite(shop, directory)).rejects.toMatchObject({
    name: 'ExportError',
    code: 'directory_not_empty',
  })
  await exportSite(shop, directory, { force: true })
  expect(existsSync(join(directory, 'mine.txt'))).toBe(true)
})

test('what is protected does not become a public file, and what fails fails the export', async () => {
  const securitySchemes = { key: { type: 'api_key', in: 'query', name: 'key' } } as const
  const secured = declareShop([productResource(makeProducts(1), { security: 'key' })], { securitySchemes })
  await expect(exportSite(secured, directory)).rejects.toMatchObject({ code: 'secured_resource' })
  const refusing = declareShop(
    [
      productResource(makeProducts(1), {
        security: 'key',
        list: () => {
          throw unauthorized()
        },
      }),
    ],
    { securitySchemes },
  )
  await expect(exportSite(refusing, directory)).rejects.toMatchObject({ code: 'secured_resource' })
  const failing = declareShop([productResource(makeProducts(1), { get: () => null })])
  await expect(exportSite(failing, directory)).rejects.toMatchObject({ code: 'document_failed' })
  const cause = new TypeError('db.query is not a function')
  const broken = productResource([], {
    list: () => {
      throw cause
    },
  })
  const failure = exportSite(declareShop([broken]), directory)
  await expect(failure).rejects.toMatchObject({ code: 'document_failed', cause })
  await expect(failure).rejects.toThrow(
    /sitemaps\/product\.json .*502.* failed at list of "product": TypeError: db\.query/,
  )
  expect(existsSync(join(directory, '.well-known'))).toBe(false)
})

test.each(['null', '{', '[{"path":"/%zz"}]', '[null]', '[{}]'])(
  'a list of files that no export wrote is not gone by: %s',
  async (list) => {
    await writeFile(join(directory, 'aadp-export.json'), list)
    const shop = declareShop([])
    await expect(exportSite(shop, directory)).rejects.toMatchObject({ code: 'directory_not_empty' })
    await exportSite(shop, directory, { force: true })
    await exportSite(shop, directory)
  },
)

test('a page without a publishable record does not end the export', async () => {
  const products = makeProducts(6)
  const omitted: unknown[] = []
  const shop = declareShop(
    [
      productResource(products, {
        serialize: ({ slug, updatedAt }) => ({
          id: `product:${/[23]$/.test(slug) ? 'BAD' : slug}`,
          updatedAt,
          data: {},
        }),
      }),
    ],
    { pageSize: 2 },
  )
  const onError = (_error: unknown, { outcome, id }: Fault): unknown => omitted.push([outcome, id])
  const files = (await exportSite(shop, directory, { onError })).map(({ file }) => file)
  expect(omitted).toEqual(Array(2).fill(['record_omitted', 'product:BAD']))
  expect(files.filter((file) => file.includes('/entities/'))).toHaveLength(4)
  expect(files.filter((file) => file.includes('/sitemaps/'))).toEqual([
    'ai/v1.0/sitemaps/product.json',
    'ai/v1.0/sitemaps/product/2.json',
  ])
})

test('a record that changes while it is exported fails the export: its page and its file would never agree', async () => {
  const products = makeProducts(2)
  const changing = productResource(products, {
    get: ({ id }) => ({ ...products.find(({ slug }) => slug === id)!, title: 'Changed' }),
  })
  await expect(exportSite(declareShop([changing]), directory)).rejects.toMatchObject({
    code: 'document_failed',
    message: expect.stringContaining('changed while it was exported') as string,
  })
})

test('pages that lead in a circle fail the export', async () => {
  const turning = productResource([], {
    list: ({ cursor }) => ({ items: [], nextCursor: cursor === 'a' ? 'b' : 'a' }),
  })
  await expect(exportSite(declareShop([turning]), directory)).rejects.toMatchObject({
    code: 'document_failed',
  })
})
