import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describeWithCorpora } from '@internal/vectors'
import { expect, it } from 'vitest'

import { classifyAddress } from '../src/index.js'

interface EdgeCase {
  readonly address: string
  readonly family: 4 | 6
  readonly most_specific: string | null
  readonly strict_verdict: 'allow' | 'block'
}

/**
 * The file gives the verdict of the registry rows alone. We refuse more, for three reasons, and these are all the addresses
 * it concerns.
 */
const REFUSED_BEYOND_THE_ROWS: Readonly<Record<string, readonly string[]>> = {
  'outside of 2000::/3, the only space allocated for global unicast': [
    '::fffe:ffff:ffff',
    '::1:0:0:0',
    '64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff',
    '64:ff9b::1:0:0',
    '64:ff9b:0:ffff:ffff:ffff:ffff:ffff',
    '64:ff9b:2::',
    'ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '100:0:0:2::',
    '5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '5f01::',
    'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    'fe00::',
    'fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ],
  'deprecated, but alive in old systems: IPv4-compatible, site-local': ['::2', 'fec0::'],
  'the IPv4 address inside is not reachable': ['64:ff9b::', '64:ff9b::ffff:ffff'],
}

describeWithCorpora('IANA edge cases', 'iana', (directory) => {
  const cases = JSON.parse(readFileSync(join(directory, 'edge-cases.json'), 'utf8')) as EdgeCase[]
  const refused = new Set(Object.values(REFUSED_BEYOND_THE_ROWS).flat())

  it.each(cases)('$address: $strict_verdict', ({ address, family, strict_verdict }) => {
    const expected = strict_verdict === 'allow' && !refused.has(address)
    expect(classifyAddress(address)).toMatchObject({ family, public: expected })
  })

  it('whatever the file blocks is refused, and every exception is one that it allows', () => {
    const verdicts = new Map(cases.map(({ address, strict_verdict }) => [address, strict_verdict]))
    for (const address of refused) expect([address, verdicts.get(address)]).toEqual([address, 'allow'])
  })

  it.each(cases.filter(({ most_specific }) => most_specific !== null))(
    '$address: the longest match is $most_specific',
    ({ address, most_specific }) => {
      expect(classifyAddress(address).range).toBe(most_specific)
    },
  )
})
