import { SUPPORTED_VERSIONS, type AadpVersion } from '@doorplate/aadp-schemas'
import type { ConformanceReport } from '@doorplate/conformance-kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conformanceChecks, runConformance, type RunConformanceOptions } from '../src/index.js'
import { TWINS } from './broken-twins.js'
import { createGoodSite, type Fault } from './good-site.js'
import { serveSites, type ServedSite } from './serve-site.js'

let secure: ServedSite
let plain: ServedSite

beforeAll(async () => {
  secure = await serveSites(false)
  plain = await serveSites(true)
})
afterAll(async () => {
  await secure.close()
  await plain.close()
})

function check(
  site: ServedSite,
  version: AadpVersion,
  fault: Fault = {},
  options: RunConformanceOptions = {},
): Promise<ConformanceReport> {
  site.serve(createGoodSite(site.origin, version, fault))
  return runConformance(site.origin, {
    protocolVersion: version,
    fetch: site.fetch,
    entities: 'all',
    negativeTargets: {
      unknownEntityUrl: `${site.origin}/ai/entities/book/nothing.json`,
      unknownTypeUrl: `${site.origin}/ai/sitemaps/unicorn.json`,
    },
    ...options,
  })
}

/** Results that are not a plain pass, each with what it says. */
function notPassed(report: ConformanceReport): readonly string[] {
  return report.checks
    .filter(({ status }) => status !== 'passed')
    .map(({ id, status, message }) => `${id} ${status}: ${message ?? ''}`)
}

/** Checks with findings that count. */
function found(report: ConformanceReport): readonly string[] {
  return report.checks
    .filter(({ status }) => status === 'failed' || status === 'warning' || status === 'inconclusive')
    .map(({ id, status }) => `${id} ${status}`)
}

describe.each(SUPPORTED_VERSIONS)('checks of AADP %s', (version) => {
  const known = new Set(conformanceChecks(version).map(({ id }) => id))
  const twins = TWINS.filter(
    (twin) => known.has(twin.check) && (twin.versions ?? [version]).includes(version),
  )

  it('all pass on the good site, and none is skipped', async () => {
    const report = await check(secure, version)
    expect(notPassed(report)).toEqual([])
    expect(report).toMatchObject({ status: 'passed', complete: true })
  })

  it('each have a broken twin', () => {
    expect(new Set(twins.map((twin) => twin.check))).toEqual(known)
  })

  it.each(twins)('$check finds that $what', async ({ check: id, status, fault, isPlain = false }) => {
    const report = await check(isPlain ? plain : secure, version, fault)
    expect(found(report)).toEqual([`${id} ${status}`])
  })
})

describe('one broken entity', () => {
  it('does not keep the other checks from judging', async () => {
    const report = await check(secure, '1.0', {
      answer: ({ url }) =>
        url.pathname.endsWith('/austen.json') ? { status: 500, headers: {}, body: '' } : undefined,
    })
    const skippedIds = report.checks.filter(({ status }) => status === 'skipped').map(({ id }) => id)
    expect(found(report)).toEqual(['traversal.entity failed'])
    expect(skippedIds).toEqual([])
  })
})

describe('a choice of languages', () => {
  it.each([
    [[], 'no language'],
    [['de'], 'only de'],
  ])('of %j is none, and the check says what it read', async (languages, named) => {
    const report = await check(secure, '1.0', {
      manifest: (manifest) => {
        if (languages.length === 0) delete manifest.usage_guidance
        else
          manifest.usage_guidance = {
            ...manifest.usage_guidance!,
            default_language: 'de',
            available_languages: languages,
          }
      },
    })
    const selection = report.checks.find(({ id }) => id === 'locale.selection')
    expect(selection).toMatchObject({ status: 'skipped' })
    expect(JSON.stringify(selection)).toContain(
      `The manifest names ${named} in usage_guidance.available_languages`,
    )
  })

  it('is seen when only some types have one', async () => {
    const report = await check(secure, '1.0', {
      answer: ({ url }) => {
        if (url.pathname.includes('/book/')) url.searchParams.delete('locale')
        return undefined
      },
    })
    expect(found(report)).toEqual([])
  })

  it('may answer with a tag that says less, in any letter case', async () => {
    const report = await check(secure, '1.0', {
      manifest: (manifest) =>
        Object.assign(manifest.usage_guidance!, {
          default_language: 'EN-gb',
          available_languages: ['EN-gb', 'de-AT'],
        }),
      answer: ({ url }) => {
        if (url.searchParams.get('locale') === 'de-AT') url.searchParams.set('locale', 'de')
        return undefined
      },
    })
    expect(found(report)).toEqual([])
  })
})

describe('a link to a site that limits how often it is asked', () => {
  it('is not dead, and leaves the run conclusive', async () => {
    const other = 'https://other.test/terms'
    const fetch: typeof globalThis.fetch = async (input, init) =>
      input === other ? new Response('', { status: 429 }) : await secure.fetch(input, init)
    const manifest: Fault['manifest'] = (draft) => (draft.policies!.terms = other)
    const report = await check(secure, '1.0', { manifest }, { fetch })
    expect(report).toMatchObject({ status: 'passed' })
  })
})

describe('the list of checks', () => {
  it('has the ids that people know', () => {
    expect(conformanceChecks('1.0').map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'manifest.http',
        'manifest.version',
        'manifest.schema',
        'manifest.semantic',
        'manifest.discovery_entry_point',
        'discovery.manifest_usable',
        'traversal.sitemap_index',
        'traversal.sitemap',
        'traversal.entity',
        'pagination.contract',
        'http.cache.sitemap_index',
        'http.cache.sitemap',
        'http.cache.entity',
        'links.no_dead_urls',
        'errors.not_found',
        'errors.unsupported_type',
        'safety.free_text_is_data',
      ]),
    )
  })

  it.each(['2.0', '', 'constructor'])('is refused for version %j', (version) => {
    expect(() => conformanceChecks(version as AadpVersion)).toThrow(
      expect.objectContaining({ code: 'unsupported_version' }),
    )
  })
})
