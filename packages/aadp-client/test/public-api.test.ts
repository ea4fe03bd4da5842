import { expect, expectTypeOf, it } from 'vitest'
import * as root from '../src/index.js'
import type { EntitySync, EntityV1, EntityWalk, ManifestV1, RunSummary, SyncEvent } from '../src/index.js'
import * as v0_1 from '../src/v0.1.js'
import type { EntityV0_1, ManifestV0_1 } from '../src/v0.1.js'

const READERS = [
  'discover',
  'discoverAllEntities',
  'fetchEntity',
  'fetchSitemap',
  'fetchSitemapIndex',
  'iterateSitemap',
]

it('exports what the README promises, and nothing else', () => {
  expect(Object.keys(v0_1).toSorted()).toEqual(READERS)
  expect(Object.keys(root).toSorted()).toEqual(
    [
      ...READERS,
      'AadpChecksumMismatchError',
      'AadpClientError',
      'AadpDiscoveryBudgetExceededError',
      'AadpIntegrityMismatchError',
      'AadpRequestError',
      'AadpSchemaValidationError',
      'AadpSemanticValidationError',
      'AadpTransportError',
      'InvalidOptionError',
      'UnsupportedAadpVersionError',
      'createDiscoveryBudget',
      'createKeyvStore',
      'createMemoryQueue',
      'createMemoryStore',
      'isAadpClientError',
      'syncEntities',
      'syncOrigins',
    ].toSorted(),
  )
})

it('has the types of each version', () => {
  expectTypeOf(root.discover).returns.resolves.toEqualTypeOf<ManifestV1>()
  expectTypeOf(v0_1.discover).returns.resolves.toEqualTypeOf<ManifestV0_1>()
  interface Title {
    title: string
  }
  expectTypeOf(() => root.discoverAllEntities('')).returns.toEqualTypeOf<EntityWalk<EntityV1>>()
  expectTypeOf(() => v0_1.discoverAllEntities('')).returns.toEqualTypeOf<EntityWalk<EntityV0_1>>()
  expectTypeOf(root.discoverAllEntities<Title>).returns.toEqualTypeOf<EntityWalk<EntityV1<Title>>>()
  expectTypeOf(v0_1.discoverAllEntities<Title>).returns.toEqualTypeOf<EntityWalk<EntityV0_1<Title>>>()
  expectTypeOf(root.syncEntities<Title>).returns.toEqualTypeOf<EntitySync<Title>>()
  expectTypeOf<Extract<SyncEvent<Title>, { kind: 'created' | 'updated' }>['entity']>().toEqualTypeOf<
    EntityV1<Title>
  >()
  expectTypeOf(root.fetchEntity<{ title: string }>)
    .returns.resolves.toHaveProperty('data')
    .toEqualTypeOf<{ title: string }>()
  expectTypeOf<EntityWalk<EntityV1>['summary']>().toEqualTypeOf<RunSummary>()
  expectTypeOf<Extract<SyncEvent, { kind: 'created' | 'updated' }>>()
    .toHaveProperty('entity')
    .toEqualTypeOf<EntityV1>()
})

it('knows its errors across copies of the package, by brand and code', () => {
  const error = new root.AadpRequestError('https://a.test/', 500)
  expect(root.isAadpClientError(error)).toBe(true)
  expect(root.isAadpClientError(error, 'http_status')).toBe(true)
  expect(root.isAadpClientError(error, 'timeout')).toBe(false)
  for (const other of [new Error('no'), { code: 'http_status' }, null, 'text']) {
    expect(root.isAadpClientError(other)).toBe(false)
  }
  const foreign = Object.assign(new Error('copy'), { code: 'timeout' })
  Object.defineProperty(foreign, Symbol.for('@doorplate/aadp-client/error'), { value: true })
  expect(root.isAadpClientError(foreign, 'timeout')).toBe(true)
})
