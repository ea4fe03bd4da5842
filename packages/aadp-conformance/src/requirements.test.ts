import { describe, expect, it } from 'vitest'
import { conformanceChecks } from './checks/conformance-checks.js'
import { requirements } from './generated/requirements.js'
import { requirementOf, ruleIn } from './requirements.js'

describe('the rules that checks cite', () => {
  it.each(['1.0', '0.1'] as const)('exist in %s', (version) => {
    const cited = conformanceChecks(version).flatMap((check) => check.requirements)
    expect(cited.filter((id) => requirementOf(id) === undefined)).toEqual([])
  })

  it('say the same in both versions', () => {
    const rules = conformanceChecks('0.1').flatMap((check) => check.requirements)
    const in01 = ruleIn('0.1')
    const pairs = Object.keys(requirements)
      .filter((id) => id.startsWith('AADP1-'))
      .map((id) => [id, in01(id.slice('AADP1-'.length))] as const)
      // The two manifests differ, and with them the rules about their members.
      .filter(([, id]) => rules.includes(id) && !id.startsWith('AADP01-MAN-'))
    expect(pairs.length).toBeGreaterThan(30)
    for (const [of10, of01] of pairs) {
      const [level, text] = requirements[of10]!
      expect([of01, requirements[of01]?.[0], requirements[of01]?.[1]]).toEqual([
        of01,
        level,
        text.replace('1.0', '0.1'),
      ])
    }
  })

  it('are not found by names that every object has', () => {
    expect(requirementOf('constructor')).toBeUndefined()
  })
})
