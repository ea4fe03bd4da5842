import { AgentDiscoveryError } from '../errors.js'

/**
 * Refuses an option that is not what it must be.
 *
 * @throws {AgentDiscoveryError} `invalid_option`
 */
export function checkOption(option: string, isRight: boolean, wanted: string): void {
  if (!isRight)
    throw new AgentDiscoveryError('invalid_option', `The option ${option} must be ${wanted}.`, { option })
}

/** Of options whose absence means a default: absent, or of this type. */
export function isAbsentOr(type: 'boolean' | 'function' | 'object' | 'string', value: unknown): boolean {
  return value === undefined || (value !== null && typeof value === type)
}

/** Whether a value can have members that are options: an object, and no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A list of texts. A text itself is none. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && Array.from(value).every((item) => typeof item === 'string')
}
