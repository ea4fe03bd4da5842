import { describe, expect, it } from 'vitest'
import { secretShapesIn } from './secret-shapes.js'

const letters = 'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5dE7f'

// Built from pieces, so that no scanner takes this file for a leak.
const SAMPLES: readonly (readonly [shape: string, text: string])[] = [
  ['aws_access_key_id', ['AKIA', 'ABCDEFGHIJKLMNOP'].join('')],
  ['google_api_key', ['AIza', letters.slice(0, 35)].join('')],
  ['google_oauth_client_secret', ['GOCSPX-', letters.slice(0, 28)].join('')],
  ['anthropic_api_key', ['sk-ant-', 'api03-', letters].join('')],
  ['openai_style_secret_key', ['sk-', letters].join('')],
  ['openai_style_secret_key', ['sk-proj-', letters].join('')],
  ['stripe_secret_key', ['sk_live_', letters.slice(0, 24)].join('')],
  ['stripe_secret_key', ['rk_test_', letters.slice(0, 24)].join('')],
  ['webhook_signing_secret', ['whsec_', letters.slice(0, 32)].join('')],
  ['github_token', ['ghp_', letters.slice(0, 36)].join('')],
  ['github_token', ['github_pat_', letters].join('')],
  ['gitlab_token', ['glpat-', letters.slice(0, 20)].join('')],
  ['npm_token', ['npm_', letters.slice(0, 36)].join('')],
  ['slack_token', ['xoxb-', '123456789012-', letters.slice(0, 24)].join('')],
  ['sendgrid_api_key', ['SG.', letters.slice(0, 22), '.', letters].join('')],
  ['private_key', '-----BEGIN RSA PRIVATE KEY-----'],
  ['private_key', '-----BEGIN PRIVATE KEY-----'],
  ['private_key', '-----BEGIN PGP PRIVATE KEY BLOCK-----'],
  ['jwt', ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NSJ9', letters].join('.')],
  ['bearer_token', `Authorization: Bearer ${letters}`],
]

describe('secretShapesIn', () => {
  it.each(SAMPLES)('knows the shape %s', (shape, text) => {
    expect(secretShapesIn(text)).toContain(shape)
    expect(secretShapesIn(`prefix "${text}" suffix`)).toContain(shape)
  })

  it.each([
    'A bearer of good news for everybody.',
    'sk-novinky-o-nasom-produkte',
    'task-runner-with-a-long-name-indeed',
    'Bearer token authentication is described in the documentation.',
    'npm_config_registry',
    '-----BEGIN CERTIFICATE-----',
    'https://shop.test/eyJ/path',
    'xoxo-with-love',
  ])('leaves ordinary text alone: %s', (text) => {
    expect(secretShapesIn(text)).toEqual([])
  })

  it.each(['eyJ-', 'SG.', 'sk-', 'Bearer ', 'eyJaaaaaaaa.'])('stays linear on repetitions of %s', (piece) => {
    expect(secretShapesIn(piece.repeat(200_000)).length).toBeLessThan(2)
  })
})
