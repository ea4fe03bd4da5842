import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describeWithCorpora } from '@internal/vectors'
import { expect, it } from 'vitest'

import { hostOf, parseUrl } from '../src/guard/check-url.js'
import { isSafeFetchError } from '../src/index.js'

interface UrlCase {
  readonly input: string
  readonly base: string | null
  readonly failure?: true
  readonly protocol?: string
  readonly hostname?: string
  readonly href?: string
}

/**
 * The parser is the platform's, and Node 20 refuses malformed punycode that the data, which is newer, lets pass. That is
 * the safe side; a host that differs never is.
 */
const MAX_REFUSED_BEYOND_THE_DATA = 20

/** Capital sharp s: mapped to "ss" until Unicode 15.1, to itself since. Guard and connection see the same host either way. */
const MAPPED_ANEW = '\u1e9e'

describeWithCorpora('hosts of the WHATWG URL test data', 'wpt-url', (directory) => {
  const cases = (
    JSON.parse(readFileSync(join(directory, 'urltestdata.json'), 'utf8')) as (UrlCase | string)[]
  ).filter((entry): entry is UrlCase => typeof entry !== 'string')
  const web = cases.filter(({ protocol }) => protocol === 'http:' || protocol === 'https:')
  const failures = cases.filter(({ failure }) => failure === true)

  it('are the hosts the guard judges', () => {
    const differences = web
      .map(({ input, base, hostname, href }) => {
        const url = parse(input, base)
        return {
          input,
          base,
          expected: { hostname, href },
          got: { hostname: url?.hostname, href: url?.href },
        }
      })
      .filter(({ expected, got }) => expected.hostname !== got.hostname || expected.href !== got.href)
    expect(differences.filter(({ got }) => got.hostname !== undefined)).toEqual([])
    expect(differences.length).toBeLessThanOrEqual(MAX_REFUSED_BEYOND_THE_DATA)
    expect(web.length).toBeGreaterThan(200)
  })

  it('where the data has none, there is nothing to judge: the URL is refused', () => {
    const accepted = failures
      .map(({ input, base }) => ({ input, base, url: parse(input, base)?.href }))
      .filter(({ url }) => url !== undefined)
    expect(accepted).toEqual([])
    expect(failures.length).toBeGreaterThan(100)
  })

  it('come without brackets', () => {
    for (const { input, base, hostname = '' } of web) {
      const url = parse(input, base)
      if (url && hostname.startsWith('[')) expect(`[${hostOf(url)}]`).toBe(hostname)
    }
  })
})

describeWithCorpora('hosts of the WHATWG toASCII test data', 'wpt-url', (directory) => {
  const cases = (
    JSON.parse(readFileSync(join(directory, 'toascii.json'), 'utf8')) as (
      { input: string; output: string | null } | string
    )[]
  ).filter((entry) => typeof entry !== 'string')

  it('are the hosts the guard judges', () => {
    const differences = cases
      .map(({ input, output }) => ({
        input,
        output,
        got: parse(`https://${input}/x`, null)?.hostname ?? null,
      }))
      .filter(({ output, got }) => output !== got)
    expect(differences.filter(({ input, got }) => got !== null && !input.includes(MAPPED_ANEW))).toEqual([])
    expect(differences.length).toBeLessThanOrEqual(MAX_REFUSED_BEYOND_THE_DATA)
  })
})

function parse(input: string, base: string | null): URL | undefined {
  try {
    return parseUrl(input, base === null ? undefined : parseUrl(base))
  } catch (error) {
    if (isSafeFetchError(error)) return undefined
    throw error
  }
}
