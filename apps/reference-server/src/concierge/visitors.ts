import { createHmac } from 'node:crypto'
import { createSecretVerifier, sameSecret, type VerifyCredential } from '@doorplate/ahp-converse/server'
import { addressNetwork } from '../address-network.js'
import type { DemoTokens } from '../demo-tokens.js'
import { DEMO_CUSTOMER } from '../shop/seed.js'
import { ORDERS_READ, QUOTES_WRITE, STOCK_WRITE } from '../shop/scopes.js'

/** Proves to the concierge for whom a page of this server asks: people of one network are one caller. Never sent to anybody. */
export function visitorToken(address: string, { site }: Pick<DemoTokens, 'site'>): string {
  const who = createHmac('sha256', site)
    .update(`visitor ${addressNetwork(address)}`)
    .digest('base64url')
  return `${who}.${signed(who, site)}`
}

/** The customer of the demonstration, the people of the shop, and the visitors of the pages. */
export function createVerifier({ customer, operator, site }: DemoTokens): VerifyCredential {
  const issued = createSecretVerifier([
    { secret: customer, principal: { id: DEMO_CUSTOMER, scopes: [ORDERS_READ, QUOTES_WRITE] } },
    { secret: operator, principal: { id: 'staff', scopes: [STOCK_WRITE] } },
  ])
  return async (credential) => {
    const [who = '', signature] = credential.value.split('.')
    if (signature === undefined) return issued(credential)
    return (await sameSecret(signature, signed(who, site))) ? { id: `visitor:${who}` } : null
  }
}

function signed(who: string, site: string): string {
  return createHmac('sha256', site).update(`token ${who}`).digest('base64url')
}
