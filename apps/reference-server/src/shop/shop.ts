import type { Database } from 'better-sqlite3'

export interface Product {
  /** `AHP-IMPL-001`. */
  readonly sku: string
  readonly name: string
  readonly summary: string
  readonly priceCents: number
  /** Null for what does not run out. */
  readonly stock: number | null
  /** Days until it is delivered. */
  readonly leadDays: number
  readonly updatedAt: string
}

export interface Order {
  /** `ORD-2026-001`. */
  readonly number: string
  readonly customer: string
  readonly status: string
  readonly items: readonly { readonly sku: string; readonly quantity: number }[]
  readonly totalCents: number
  readonly placedAt: string
  readonly updatedAt: string
  /** Number that the carrier knows it by; null for what was not sent. */
  readonly parcel: string | null
}

export interface Quote {
  /** `Q-1`. */
  readonly number: string
  readonly sku: string
  readonly quantity: number
  readonly totalCents: number
  readonly validUntil: string
}

export interface QuoteRequest extends Pick<Quote, 'sku' | 'quantity'> {
  /** The same in every attempt at one quote: it is made once. */
  readonly key: string
  readonly customer: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Prices are in euros; `Cents` are hundredths of one. */
export const CURRENCY = 'EUR'
const QUOTE_VALID_MS = 14 * 86_400_000

/** The small shop. Every method is one step in the database, and throws what that throws. */
export interface Shop {
  /** By `sku`. */
  products(): readonly Product[]
  product(sku: string): Product | undefined
  /** Of one customer, by number. */
  orders(customer: string): readonly Order[]
  /** Undefined for that of another customer, too. */
  order(number: string, customer: string): Order | undefined
  /** Undefined for a product that does not exist. */
  quote(request: QuoteRequest): Quote | undefined
  /** Writes down how many there are, and gives the product; undefined for one that does not exist. */
  restock(sku: string, stock: number, now: number): Product | undefined
  close(): void
}

type ProductRow = Omit<Product, 'priceCents' | 'leadDays' | 'updatedAt'> & {
  price_cents: number
  lead_days: number
  updated_at: string
}
type OrderRow = Pick<Order, 'number' | 'customer' | 'status' | 'parcel'> & {
  items: string
  total_cents: number
  placed_at: string
  updated_at: string
}
interface QuoteRow {
  number: number
  sku: string
  quantity: number
  total_cents: number
  valid_until: string
}

export function createShop(database: Database): Shop {
  const products = database.prepare<[], ProductRow>('SELECT * FROM products ORDER BY sku')
  const product = database.prepare<[string], ProductRow>('SELECT * FROM products WHERE sku = ?')
  const orders = database.prepare<[string], OrderRow>(
    'SELECT * FROM orders WHERE customer = ? ORDER BY number',
  )
  const order = database.prepare<[string, string], OrderRow>(
    'SELECT * FROM orders WHERE number = ? AND customer = ?',
  )
  const setStock = database.prepare('UPDATE products SET stock = ?, updated_at = ? WHERE sku = ?')
  const quote = database.prepare<[string], QuoteRow>('SELECT * FROM quotes WHERE key = ?')
  const addQuote = database.prepare(
    `INSERT INTO quotes (key, customer, sku, quantity, total_cents, valid_until, created_at)
     SELECT @key, @customer, sku, @quantity, price_cents * @quantity, @validUntil, @createdAt FROM products WHERE sku = @sku
     ON CONFLICT (key) DO NOTHING`,
  )

  return {
    products: () => products.all().map(productOf),
    product(sku) {
      const row = product.get(sku)
      return row && productOf(row)
    },
    orders: (customer) => orders.all(customer).map(orderOf),
    order(number, customer) {
      const row = order.get(number, customer)
      return row && orderOf(row)
    },
    quote({ key, customer, sku, quantity, now }) {
      const validUntil = new Date(now + QUOTE_VALID_MS).toISOString()
      addQuote.run({ key, customer, sku, quantity, validUntil, createdAt: new Date(now).toISOString() })
      const row = quote.get(key)
      return row && quoteOf(row)
    },
    restock(sku, stock, now) {
      setStock.run(stock, new Date(now).toISOString(), sku)
      const row = product.get(sku)
      return row && productOf(row)
    },
    close() {
      database.close()
    },
  }
}

function productOf({ sku, name, summary, stock, ...row }: ProductRow): Product {
  const { price_cents: priceCents, lead_days: leadDays, updated_at: updatedAt } = row
  return { sku, name, summary, priceCents, stock, leadDays, updatedAt }
}

function orderOf({ number, customer, status, items, parcel, ...row }: OrderRow): Order {
  const { total_cents: totalCents, placed_at: placedAt, updated_at: updatedAt } = row
  return {
    ...{ number, customer, status, totalCents, placedAt, updatedAt, parcel },
    items: JSON.parse(items) as Order['items'],
  }
}

function quoteOf({ number, sku, quantity, ...row }: QuoteRow): Quote {
  return {
    ...{ number: `Q-${String(number)}`, sku, quantity },
    totalCents: row.total_cents,
    validUntil: row.valid_until,
  }
}
