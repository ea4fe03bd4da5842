import { describe, expect, it } from 'vitest'
import { fromResponse } from '../response/from-response.js'
import { toAgentResources } from './agent-resources.js'
import { toLinkset } from './linkset.js'
import { parseLinkset } from '../linkset.js'

const url = 'https://example.com/'

describe('toAgentResources', () => {
  it('gives the shape of FetchKit, at most 20', () => {
    const link = Array.from(
      { length: 25 },
      (_, index) => `</${index}.json>; rel="service-desc"; title="t"; type="application/openapi+json"`,
    )
    const { agent_resources: resources } = toAgentResources(fromResponse(url, { link }))
    expect(resources).toHaveLength(20)
    expect(resources[0]).toEqual({
      url: 'https://example.com/0.json',
      kind: 'api-description',
      source: 'http-link',
      relation: 'service-desc',
      media_type: 'application/openapi+json',
      title: 't',
      verified: false,
    })
  })
})

describe('toLinkset', () => {
  it('gives a linkset that can be read back', () => {
    const { resources } = fromResponse(url, { link: '</llms.txt>; rel=describedby, </card>; rel=a2a' })
    const { links, valid } = parseLinkset(toLinkset({ finalUrl: url, resources }), { url })
    expect(valid).toBe(true)
    expect(links.map((link) => [link.rel, link.url])).toEqual([
      ['item', 'https://example.com/card'],
      ['describedby', 'https://example.com/llms.txt'],
    ])
  })
})
