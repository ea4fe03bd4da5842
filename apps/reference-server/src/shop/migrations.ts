import { LATER_ORDERS, ORDERS, PRODUCTS } from './seed.js'

/** Each brings the database from one version to the next; released ones never change. Money is in cents. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE products (
     sku TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     summary TEXT NOT NULL,
     price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
     stock INTEGER CHECK (stock >= 0),
     lead_days INTEGER NOT NULL,
     updated_at TEXT NOT NULL
   ) STRICT;
   CREATE TABLE orders (
     number TEXT PRIMARY KEY,
     customer TEXT NOT NULL,
     status TEXT NOT NULL,
     items TEXT NOT NULL,
     total_cents INTEGER NOT NULL,
     placed_at TEXT NOT NULL,
     updated_at TEXT NOT NULL
   ) STRICT;
   CREATE INDEX orders_of_customer ON orders (customer, number);
   CREATE TABLE quotes (
     number INTEGER PRIMARY KEY,
     key TEXT NOT NULL UNIQUE,
     customer TEXT NOT NULL,
     sku TEXT NOT NULL REFERENCES products (sku),
     quantity INTEGER NOT NULL CHECK (quantity > 0),
     total_cents INTEGER NOT NULL,
     valid_until TEXT NOT NULL,
     created_at TEXT NOT NULL
   ) STRICT;
   ${PRODUCTS.map(insertOf('products')).join('\n')}
   ${ORDERS.map(insertOf('orders')).join('\n')}`,
  `ALTER TABLE orders ADD COLUMN parcel TEXT;
   UPDATE orders SET parcel = 'DP-7001' WHERE number = 'ORD-2026-001';
   ${LATER_ORDERS.map(insertOf('orders')).join('\n')}`,
]

function insertOf(table: string): (row: Readonly<Record<string, string | number | null>>) => string {
  return (row) =>
    `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')});`
}

function literal(value: string | number | null): string {
  if (value === null) return 'NULL'
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}
