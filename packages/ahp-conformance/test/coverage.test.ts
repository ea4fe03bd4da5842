import { expect, it } from 'vitest'
import { requirements } from '../src/generated/requirements.js'
import { agentChecks, conformanceChecks } from '../src/index.js'

/** What cannot be seen from outside, or allows either way. */
const UNSEEN: Readonly<Record<string, string>> = {
  'R-016': 'an agent may do either',
  'R-056': 'a site may do either',
  'R-059': 'what a site can bear is its own knowledge',
  'R-068': 'an agent may do either',
  'R-071': 'what an agent does with content is not seen',
  'R-073': 'a site may do either',
  'R-097': 'a site may do either',
  'R-098': 'what is low is for the site to say',
  'R-113': 'it binds later versions',
  'R-124': 'it is a matter of documentation',
  'R-125': 'it binds the protocol',
}

it('every requirement of the draft has a check, but for those that cannot have one', () => {
  const cited = new Set(
    [...conformanceChecks({ rate: true }), ...agentChecks].flatMap((check) => check.requirements),
  )
  const missing = Object.keys(requirements).filter((id) => /-R-\d{3}$/.test(id) && !cited.has(id))
  expect(missing.map((id) => id.replace('AHP01-', '')).sort()).toEqual(Object.keys(UNSEEN).sort())
})
