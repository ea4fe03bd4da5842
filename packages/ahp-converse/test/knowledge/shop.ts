import type { KnowledgeDocument } from '../../src/knowledge.js'

/** What a small shop with a command line tool writes about itself. */
export const SHOP: readonly KnowledgeDocument[] = [
  {
    url: '/returns',
    content: `---
title: Returns and refunds
description: Sending things back.
---
# Returns and refunds

You can send back anything you bought from us within 30 days of delivery. The item must be unused and in its original box.

## Cancel an order

You can cancel an order until it leaves our warehouse. Open *Orders*, choose the order and press **Cancel**.

## Refund times

Refunds are paid to the card you paid with. It takes up to five working days until your bank shows the amount.

## How do I print a return label?

1. Open **Orders**.
2. Choose the order.
3. Press *Print label*.
`,
  },
  {
    url: '/subscription',
    content: `# Subscriptions

A subscription sends you a new box every month.

## Cancel a subscription

Cancel at any time in *Account*. You keep access until the end of the month that you have paid for.

## Prices

| Plan | Price per month | Boxes |
|---|---|---|
| Small | 9 EUR | 1 |
| Family | 19 EUR | 3 |
| Office | 49 EUR | 10 |

## Pause a subscription

You can pause for up to three months. Nothing is charged meanwhile.
`,
  },
  {
    url: '/tool',
    content: `# Command line tool

The command line tool talks to our API.

## Installation

Install it with npm:

\`\`\`sh
npm install --global shop
# Never give your token to anybody.
\`\`\`

It needs Node.js 20 or later.

## Returning goods by drone

You can return goods by drone if all of this is true:

- the parcel weighs less than two kilograms
- the wind is weak
- you live within ten kilometres

## Errors

- \`E100\`: the token is missing.
- \`E200\`: the server did not answer in time.
- \`E300\`: the file does not exist.
`,
  },
]
