import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StartError } from '../start-error.js'
import { loadSqlite, type OpenDatabase } from './load-sqlite.js'
import { databaseFile, openShop } from './open-shop.js'
import { DEMO_CUSTOMER } from './seed.js'
import type { Shop } from './shop.js'

const JUNE = Date.parse('2026-06-01T00:00:00Z')
const loaded = await loadSqlite()
const sqlite = loaded as OpenDatabase
const isMissing = 'missing' in loaded
let folder: string
let shop: Shop | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-'))
})

afterEach(async () => {
  shop?.close()
  shop = undefined
  await rm(folder, { recursive: true })
})

function open(): Shop {
  shop = openShop(sqlite, folder)
  return shop
}

describe.skipIf(isMissing)(`a shop${isMissing ? ' (skipped: better-sqlite3 is missing)' : ''}`, () => {
  it('is filled at the first start', () => {
    const opened = open()
    expect(opened.products().map(({ sku }) => sku)).toEqual([
      'AHP-IMPL-001',
      'AHP-SUPPORT-001',
      'PLATE-BRASS-010',
      'PLATE-ENAMEL-010',
    ])
    expect(opened.order('ORD-2026-001', DEMO_CUSTOMER)).toMatchObject({
      items: [{ sku: 'PLATE-BRASS-010', quantity: 2 }],
      totalCents: 7800,
    })
  })

  it('shows orders to those who placed them', () => {
    const opened = open()
    expect(opened.order('ORD-2026-002', DEMO_CUSTOMER)).toBeUndefined()
    expect(opened.orders(DEMO_CUSTOMER).map(({ number }) => number)).toEqual(['ORD-2026-001'])
    expect(opened.orders("' OR 1 = 1 --")).toEqual([])
  })

  it('makes a quote once for each key, and keeps it over a restart', () => {
    const request = { key: 'k', customer: 'c', sku: 'AHP-IMPL-001', quantity: 2, now: JUNE }
    const first = open().quote(request)
    expect(first).toEqual({
      number: 'Q-1',
      sku: 'AHP-IMPL-001',
      quantity: 2,
      totalCents: 960_000,
      validUntil: '2026-06-15T00:00:00.000Z',
    })
    shop?.close()
    expect(open().quote({ ...request, now: JUNE + 1 })).toEqual(first)
    expect(shop?.quote({ ...request, key: 'other' })?.number).toBe('Q-2')
    expect(shop?.quote({ ...request, key: 'none', sku: 'NO-SUCH-001' })).toBeUndefined()
  })

  it.each([
    ['no database', Buffer.from('This is a letter, and no database at all. '.repeat(40))],
    ['half of one', undefined],
  ])('refuses a file that is %s, and leaves it as it is', async (_name, given) => {
    open().close()
    const whole = await readFile(databaseFile(folder))
    const bytes = given ?? Buffer.concat([whole.subarray(0, 4096), Buffer.alloc(whole.length - 4096, 7)])
    await rm(`${databaseFile(folder)}-wal`, { force: true })
    await writeFile(databaseFile(folder), bytes)
    expect(open).toThrow(StartError)
    expect(open).toThrow(/doorplate\.db is damaged\. Nothing was changed/)
    expect((await readFile(databaseFile(folder))).equals(bytes)).toBe(true)
  })

  it('refuses a file of a newer version', () => {
    open().close()
    const database = new sqlite(databaseFile(folder))
    database.pragma('user_version = 99')
    database.close()
    expect(open).toThrow(/newer version of this program/)
  })
})
