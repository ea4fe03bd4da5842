import { expect, it } from 'vitest'
import { agentChecks, conformanceChecks } from '../src/index.js'
import { draftRules, isSeen, UNSEEN } from './draft-rules.js'

it('every rule of the draft has a check, but for those that cannot have one', () => {
  const cited = new Set(
    [...conformanceChecks({ rate: true }), ...agentChecks].flatMap((check) => check.requirements),
  )
  const rules = draftRules()
  expect(rules.length).toBeGreaterThan(140)
  expect(rules.filter(({ id }) => isSeen(id) && !cited.has(id)).map(({ id }) => id)).toEqual([])
  expect(Object.keys(UNSEEN).filter((number) => cited.has(`AHP01-${number}`))).toEqual([])
})
