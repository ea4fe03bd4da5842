import { CURRENCY } from './shop.js'

/** `€4,800.00`. */
export function money(cents: number): string {
  return (cents / 100).toLocaleString('en-GB', { style: 'currency', currency: CURRENCY })
}
