import { validateDocument } from '@doorplate/aadp-schemas'
import { describe, expect, test } from 'vitest'
import { declareShop, fetchFrom, jsonFrom, makeProducts, ORIGIN, PATHS, productResource } from './shop.js'

describe('locales', () => {
  const asked: (string | undefined)[] = []
  const shop = declareShop([
    productResource(makeProducts(1), {
      locales: ['en', 'vi', 'pt-BR'],
      get: ({ locale }) => (asked.push(locale), makeProducts(1)[0]),
      serialize: ({ slug, updatedAt }, { locale }) => ({
        id: `product:${slug}`,
        updatedAt,
        data: { language: locale ?? 'none' },
      }),
    }),
  ])

  test.each([
    ['', undefined, 'en'],
    ['?locale=vi', undefined, 'vi'],
    ['?locale=VI-VN', undefined, 'vi'],
    ['?locale=pt', undefined, 'en'],
    ['?locale=pt-br', undefined, 'pt-BR'],
    ['?locale=fr', 'vi', 'en'],
    ['?locale=', 'vi', 'en'],
    ['?locale=..%2F..%00', undefined, 'en'],
    [`?locale=${'a-'.repeat(2000)}`, undefined, 'en'],
    ['', 'vi', 'vi'],
    ['', 'fr, vi;q=0.3, pt-BR;q=0.9', 'pt-BR'],
    ['', '*', 'en'],
    ['', 'vi;q=0', 'en'],
    ['', ';;;q=,', 'en'],
  ])(
    'query "%s" and Accept-Language %s give %s, honoured and echoed',
    async (query, acceptLanguage, locale) => {
      const init = acceptLanguage === undefined ? {} : { headers: { 'accept-language': acceptLanguage } }
      const response = await fetchFrom(shop, PATHS.entity + query, init)
      expect(response.headers.get('vary')).toBe('Accept-Language')
      expect(response.headers.get('content-language')).toBe(locale)
      expect(await response.json()).toMatchObject({ locale, data: { language: locale } })
      expect(asked.at(-1)).toBe(locale)
    },
  )

  test('the items of a page lead to entities of its language, with their checksums', async () => {
    for (const [query, suffix] of [
      ['', ''],
      ['?locale=vi', '?locale=vi'],
    ] as const) {
      const page = await jsonFrom<{ items: { url: string; checksum: string }[] }>(shop, PATHS.sitemap + query)
      expect(page.items[0]?.url).toBe(ORIGIN + PATHS.entity + suffix)
      const entity = await (await shop.handleRequest(new Request(page.items[0]?.url ?? ''))).json()
      expect(entity).toMatchObject({ checksum: page.items[0]?.checksum })
    }
  })

  test('a direct call reads them from its request', async () => {
    const request = new Request(`${ORIGIN}/any?locale=vi`)
    expect(await shop.entity('product', 'product-00', request)).toMatchObject({ locale: 'vi' })
    expect(await shop.entity('product', 'product-00')).toMatchObject({ locale: 'en' })
  })

  test('a resource without locales takes no notice', async () => {
    const plain = declareShop([productResource(makeProducts(1))])
    const response = await fetchFrom(plain, `${PATHS.entity}?locale=vi`, {
      headers: { 'accept-language': 'vi' },
    })
    expect(response.headers.get('vary')).toBeNull()
    expect(response.headers.get('content-language')).toBeNull()
    expect(await response.json()).not.toHaveProperty('locale')
  })
})

describe('Markdown', () => {
  let renderings = 0
  let version = 1
  const shop = declareShop([
    productResource(makeProducts(1), {
      identify: ({ slug }) => ({ name: slug, version }),
      markdown: ({ title }) => (renderings++, `# ${title}\n`),
    }),
  ])

  test.each([
    ['text/markdown', 'text/markdown; charset=utf-8'],
    ['text/markdown, application/json;q=0.9', 'text/markdown; charset=utf-8'],
    ['text/markdown;variant=GFM;q=0.5, */*;q=0.1', 'text/markdown; charset=utf-8'],
    ['Text/Markdown', 'text/markdown; charset=utf-8'],
    ['text/markdown, */*', 'text/markdown; charset=utf-8'],
    ['text/markdown;q=0.1, */*;q=0.9', 'application/json'],
    ['application/json, text/markdown', 'application/json'],
    ['application/*, text/markdown;q=0.9', 'application/json'],
    ['text/markdown;q=0', 'application/json'],
    ['*/*', 'application/json'],
    ['text/*', 'application/json'],
    ['text/html', 'application/json'],
  ])('Accept: %s gives %s', async (accept, contentType) => {
    const response = await fetchFrom(shop, PATHS.entity, { headers: { accept } })
    expect(response.headers.get('content-type')).toBe(contentType)
    expect(response.headers.get('vary')).toBe('Accept')
  })

  test('has an entity-tag of its own and is rendered once', async () => {
    const json = await fetchFrom(shop, PATHS.entity)
    const headers = { accept: 'text/markdown' }
    const markdown = await fetchFrom(shop, PATHS.entity, { headers })
    expect(await markdown.text()).toBe('# Product 0\n')
    const tag = markdown.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"sha256:[0-9a-f]{64}"$/)
    expect(tag).not.toBe(json.headers.get('etag'))
    expect(
      (await fetchFrom(shop, PATHS.entity, { headers: { ...headers, 'if-none-match': tag } })).status,
    ).toBe(304)
    expect((await fetchFrom(shop, PATHS.entity, { headers: { 'if-none-match': tag } })).status).toBe(200)
    expect(renderings).toBe(1)
    version++
    await fetchFrom(shop, PATHS.entity, { headers })
    expect(renderings).toBe(2)
  })

  test('is rendered anew when nothing says that the record is the same', async () => {
    const products = makeProducts(1)
    const plain = declareShop([
      productResource(products, {
        serialize: ({ slug, updatedAt }) => ({ id: `product:${slug}`, updatedAt, data: {} }),
        markdown: ({ title }) => title,
      }),
    ])
    const headers = { accept: 'text/markdown' }
    const first = await fetchFrom(plain, PATHS.entity, { headers })
    products[0] = { ...products[0]!, title: 'Renamed' }
    const since = { ...headers, 'if-modified-since': first.headers.get('last-modified') ?? '' }
    expect(await (await fetchFrom(plain, PATHS.entity, { headers: since })).text()).toBe('Renamed')
  })

  test('is not offered by a resource without it', async () => {
    const plain = declareShop([productResource(makeProducts(1))])
    const response = await fetchFrom(plain, PATHS.entity, { headers: { accept: 'text/markdown' } })
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(validateDocument({ version: '1.0', kind: 'entity', data: await response.json() }).valid).toBe(true)
  })
})
