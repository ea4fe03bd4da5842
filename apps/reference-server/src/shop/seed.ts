type Row = Readonly<Record<string, string | number | null>>

/** What the shop sells at the beginning. `stock` is null for what does not run out; prices in cents. */
export const PRODUCTS: readonly Row[] = [
  {
    sku: 'AHP-IMPL-001',
    name: 'Site made ready for agents',
    summary:
      'We declare what your site offers, mount it, and hand it over with a passing conformance report.',
    price_cents: 480_000,
    stock: 3,
    lead_days: 14,
    updated_at: '2026-01-12T09:00:00.000Z',
  },
  {
    sku: 'AHP-SUPPORT-001',
    name: 'A year of support',
    summary: 'Questions about your installation answered within a working day, for one site and one year.',
    price_cents: 120_000,
    stock: null,
    lead_days: 0,
    updated_at: '2026-01-12T09:00:00.000Z',
  },
  {
    sku: 'PLATE-BRASS-010',
    name: 'Doorplate, engraved brass',
    summary: 'A real one, 10 by 6 centimetres, with two screws. It says who lives here.',
    price_cents: 3_900,
    stock: 42,
    lead_days: 5,
    updated_at: '2026-02-03T14:30:00.000Z',
  },
  {
    sku: 'PLATE-ENAMEL-010',
    name: 'Doorplate, enamel',
    summary: 'White on blue, for outdoors. Made to order when none is left.',
    price_cents: 5_400,
    stock: 0,
    lead_days: 21,
    updated_at: '2026-02-03T14:30:00.000Z',
  },
]

/** What was sold since, each with a parcel that its carrier knows. */
export const LATER_ORDERS: readonly Row[] = [
  {
    number: 'ORD-2026-003',
    customer: 'customer',
    status: 'shipped',
    items: '[{"sku":"PLATE-ENAMEL-010","quantity":1}]',
    total_cents: 5_400,
    placed_at: '2026-03-02T09:20:00.000Z',
    updated_at: '2026-03-24T12:00:00.000Z',
    parcel: 'DP-7003',
  },
  {
    number: 'ORD-2026-004',
    customer: 'customer',
    status: 'shipped',
    items: '[{"sku":"PLATE-BRASS-010","quantity":1}]',
    total_cents: 3_900,
    placed_at: '2026-04-07T18:05:00.000Z',
    updated_at: '2026-04-09T11:30:00.000Z',
    parcel: 'DP-7004',
  },
]

/** The customer whose token is printed at the start. */
export const DEMO_CUSTOMER = 'customer'

export const ORDERS: readonly Row[] = [
  {
    number: 'ORD-2026-001',
    customer: DEMO_CUSTOMER,
    status: 'shipped',
    items: '[{"sku":"PLATE-BRASS-010","quantity":2}]',
    total_cents: 7_800,
    placed_at: '2026-02-10T10:15:00.000Z',
    updated_at: '2026-02-12T16:40:00.000Z',
  },
  {
    number: 'ORD-2026-002',
    customer: 'somebody-else',
    status: 'processing',
    items: '[{"sku":"AHP-IMPL-001","quantity":1}]',
    total_cents: 480_000,
    placed_at: '2026-02-14T08:00:00.000Z',
    updated_at: '2026-02-14T08:00:00.000Z',
  },
]
