import { checkOptionNames, checkOptionTypes } from '@doorplate/conformance-kit'
import { invalidOption } from './errors.js'
import { inOurWords, type RunConformanceOptions } from './options.js'
import { isObject } from './own-member.js'

const NAMES = [
  'probes',
  'profile',
  'pages',
  'maxTurns',
  'sessionIdleMs',
  'jobTimeoutMs',
  'callback',
  'rate',
  'maxRateRequests',
  'maxWaitMs',
] as const

/** What somebody who knows a site can say of it: options of a run that hold no secret and are no matter of the network. */
export type Knowledge = Pick<RunConformanceOptions, (typeof NAMES)[number]>

/**
 * Reads it from JSON. The values are left to the run to check.
 *
 * @throws {AhpConformanceError} `invalid_option`
 */
export function readKnowledge(text: string): Knowledge {
  const known = parsed(text)
  return inOurWords(() => {
    checkOptionTypes(known, { probes: 'record' })
    checkOptionNames(known, NAMES)
    return known
  })
}

function parsed(text: string): Knowledge {
  let value: unknown
  let cause: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    cause = error
  }
  if (isObject(value)) return value
  throw invalidOption('probes', 'a file with a JSON object', cause)
}
