/** What a token must allow. */
export const ORDERS_READ = 'orders:read'
export const QUOTES_WRITE = 'quotes:write'
export const STOCK_WRITE = 'stock:write'
