import { describe, expectTypeOf, it } from 'vitest'
import type { ConformanceReport } from '@doorplate/conformance-kit'
import {
  discover,
  fromResponse,
  readPage,
  type DiscoveryResult,
  type Kind,
  type Resource,
  type ResourceState,
} from '../src/index.js'
import { parseLinkHeader, type Link } from '../src/link.js'
import { withSiteSignals, type PublishedKind, type PublishedResource } from '../src/publish.js'
import { checkReadiness } from '../src/readiness.js'

describe('types', () => {
  it('are those that the README promises', () => {
    expectTypeOf(discover).returns.resolves.toEqualTypeOf<DiscoveryResult>()
    expectTypeOf(checkReadiness).returns.resolves.toEqualTypeOf<ConformanceReport>()
    expectTypeOf(fromResponse).returns.toHaveProperty('resources').toEqualTypeOf<readonly Resource[]>()
    expectTypeOf(parseLinkHeader).returns.toHaveProperty('links').toEqualTypeOf<readonly Link[]>()
    expectTypeOf<Resource['state']>().toEqualTypeOf<ResourceState>()
    expectTypeOf<Resource['kind']>().toEqualTypeOf<Kind>()
    expectTypeOf(readPage).parameter(1).toHaveProperty('format').toEqualTypeOf<'html' | 'markdown'>()
  })

  it('refuse what cannot be published and keep the parameters of a handler', () => {
    expectTypeOf<PublishedResource['kind']>().toEqualTypeOf<PublishedKind>()
    expectTypeOf<'openapi'>().toExtend<PublishedKind>()
    expectTypeOf<'ahp-converse'>().not.toExtend<PublishedResource['kind']>()
    const handler = (_request: Request, env: { readonly key: string }): Response => new Response(env.key)
    expectTypeOf(withSiteSignals(handler, {})).parameters.toEqualTypeOf<[Request, { readonly key: string }]>()
  })

  it('are read-only', () => {
    expectTypeOf<DiscoveryResult['resources']>().not.toHaveProperty('push')
  })
})
