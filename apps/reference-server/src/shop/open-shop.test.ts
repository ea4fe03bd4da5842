import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StartError } from '../start-error.js'
import { loadSqlite, type OpenDatabase } from './load-sqlite.js'
import { MIGRATIONS } from './migrations.js'
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
    expect(opened.orders(DEMO_CUSTOMER).map(({ number }) => number)).toEqual([
      'ORD-2026-001',
      'ORD-2026-003',
      'ORD-2026-004',
    ])
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

  it('brings an older file to the present, with all that is in it', () => {
    const old = new sqlite(databaseFile(folder))
    old.exec(MIGRATIONS[0]!)
    old.pragma('user_version = 1')
    const quote = `INSERT INTO quotes VALUES (7, 'k', 'c', 'AHP-IMPL-001', 2, 960000, '2026-06-15', '2026-06-01')`
    old.exec(`${quote}; UPDATE products SET stock = 1 WHERE sku = 'AHP-IMPL-001'`)
    old.close()
    const opened = open()
    expect(opened.product('AHP-IMPL-001')?.stock).toBe(1)
    expect(opened.order('ORD-2026-001', DEMO_CUSTOMER)?.parcel).toBe('DP-7001')
    expect(
      opened.quote({ key: 'k', customer: 'c', sku: 'AHP-IMPL-001', quantity: 2, now: JUNE })?.number,
    ).toBe('Q-7')
  })

  it('leaves an older file as it is when it cannot be brought to the present', async () => {
    const old = new sqlite(databaseFile(folder))
    old.exec(`${MIGRATIONS[0]!}; ALTER TABLE orders ADD COLUMN parcel TEXT`)
    old.pragma('user_version = 1')
    old.close()
    const bytes = await readFile(databaseFile(folder))
    expect(open).toThrow(/cannot be used: duplicate column name: parcel .*Nothing was changed/)
    expect((await readFile(databaseFile(folder))).equals(bytes)).toBe(true)
  })

  it('says that the disk is full, and goes on where nothing has to be written', () => {
    open()
    shop?.close()
    class FullDisk extends sqlite {
      constructor(...args: ConstructorParameters<OpenDatabase>) {
        super(...args)
        this.pragma('max_page_count = 1')
      }
    }
    shop = openShop(FullDisk as unknown as OpenDatabase, folder)
    const request = { customer: 'c', sku: 'AHP-IMPL-001', quantity: 1, now: JUNE }
    const fill = (): void => {
      for (let count = 0; count < 1000; count++)
        shop?.quote({ ...request, key: `${String(count)}${'x'.repeat(1000)}` })
    }
    expect(fill).toThrow(expect.objectContaining({ code: 'SQLITE_FULL' }) as Error)
    expect(shop.product('AHP-IMPL-001')).toBeDefined()
  })

  it('writes down what there is of a product', () => {
    expect(open().restock('PLATE-BRASS-010', 7, JUNE)).toMatchObject({
      stock: 7,
      updatedAt: '2026-06-01T00:00:00.000Z',
    })
    expect(shop?.product('PLATE-BRASS-010')?.stock).toBe(7)
    expect(shop?.restock('NO-SUCH-001', 7, JUNE)).toBeUndefined()
  })

  it('refuses a file of a newer version', () => {
    open().close()
    const database = new sqlite(databaseFile(folder))
    database.pragma('user_version = 99')
    database.close()
    expect(open).toThrow(/newer version of this program/)
  })
})
