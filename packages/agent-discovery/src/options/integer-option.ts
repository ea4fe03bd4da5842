import { AgentDiscoveryError } from '../errors.js'

const MAX_TIMER_MS = 2_147_483_647

/** The value of a numeric option, or its default. */
export function integerOption(
  option: string,
  value: unknown,
  fallback: number,
  minimum = 1,
  maximum: number = MAX_TIMER_MS,
): number {
  if (value === undefined) return fallback
  if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum)
    return value
  const message = `The option ${option} must be a whole number from ${minimum} to ${maximum}.`
  throw new AgentDiscoveryError('invalid_option', message, { option })
}
