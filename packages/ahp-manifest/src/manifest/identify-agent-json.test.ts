import { describeWithCases, casesDir } from '@internal/vectors'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { identifyAgentJson } from './identify-agent-json.js'

const AHP = { ahp: '0.1', modes: ['MODE1'] }
const CARD_03 = { protocolVersion: '0.3.0', url: 'https://a.example', skills: [] }

describe('identifyAgentJson', () => {
  it.each([
    ['a manifest', AHP, [{ kind: 'ahp-manifest', version: '0.1' }]],
    [
      'a manifest without signals, and with an array of capabilities',
      { ...AHP, capabilities: [] },
      [{ kind: 'ahp-manifest', version: '0.1' }],
    ],
    [
      'a card of A2A 1.0, which has no url (A2-02)',
      {
        name: 'X',
        supportedInterfaces: [{ url: 'https://a.example/a2a', protocolBinding: 'JSONRPC' }],
        skills: [],
      },
      [{ kind: 'a2a-agent-card', version: '1.0', confidence: 'high' }],
    ],
    ['a card of A2A 0.3', CARD_03, [{ kind: 'a2a-agent-card', version: '0.3', confidence: 'high' }]],
    [
      'a card of A2A 0.2',
      { url: 'https://a.example', capabilities: {}, skills: [] },
      [{ kind: 'a2a-agent-card', version: '0.2', confidence: 'low' }],
    ],
    [
      'both in one',
      { ...AHP, ...CARD_03 },
      [
        { kind: 'ahp-manifest', version: '0.1' },
        { kind: 'a2a-agent-card', version: '0.3', confidence: 'high' },
      ],
    ],
    [
      'an ERC-8004 registration',
      { type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1', services: [] },
      [{ kind: 'erc-8004-registration' }],
    ],
    [
      'an ENSIP-27 document',
      { schema_version: '1', url: 'https://a.example', capabilities: {}, skills: [] },
      [],
    ],
    ['modes that are unknown', { ahp: '0.1', modes: ['MODE9'] }, []],
    ['no modes', { ahp: '0.1', modes: [] }, []],
    ['a version that is a number', { ahp: 0.1, modes: ['MODE1'] }, []],
    ['inherited members', Object.create(AHP), []],
    ['a list', [AHP], []],
    ['null', null, []],
    ['text', 'ahp', []],
  ])('sees %s', (_, document, identities) => {
    expect(identifyAgentJson(document)).toEqual(identities)
  })
})

describeWithCases('cases of documents at agent.json', 'agent-discovery', () => {
  it.each([
    ['13-agent-json-is-ahp.json', 'ahp-manifest'],
    ['14-agent-json-is-legacy-a2a.json', 'a2a-agent-card'],
  ])('%s is %s', (file, kind) => {
    const { input } = JSON.parse(read(file)) as { input: { get: { body: string } } }
    expect(identifyAgentJson(JSON.parse(input.get.body)).map((identity) => identity.kind)).toEqual([kind])
  })

  it('29-agent-json-is-erc-8004.json is neither', () => {
    const { input } = JSON.parse(read('29-agent-json-is-erc-8004.json')) as {
      input: { docs: { body: unknown }[] }
    }
    expect(input.docs.length).toBeGreaterThan(0)
    for (const { body } of input.docs)
      expect(identifyAgentJson(body)).toEqual([{ kind: 'erc-8004-registration' }])
  })
})

function read(file: string): string {
  const path = join(casesDir(), 'discovery', file)
  expect(existsSync(path)).toBe(true)
  return readFileSync(path, 'utf8')
}
