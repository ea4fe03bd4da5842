import { AgentDiscoveryError } from '../errors.js'
import { cleanText } from '../text/untrusted-text.js'
import { checkOption, isRecord } from './check-option.js'
import { didYouMean } from './did-you-mean.js'

/** The names of all members of a type, which the compiler keeps complete. */
export type MemberNames<Type> = Readonly<Record<keyof Type, true>>

/**
 * Refuses what is no object, and an object with a member of another name: a misspelt limit would otherwise be none. `owner` is
 * how an option is called that holds these.
 *
 * @throws {AgentDiscoveryError} `invalid_option`
 */
export function checkOptionNames(
  options: unknown,
  known: Readonly<Record<string, true>>,
  owner?: string,
): void {
  checkOption(owner ?? 'options', isRecord(options), 'an object')
  const prefix = owner === undefined ? '' : `${owner}.`
  for (const name of Object.keys(options as object)) {
    if (Object.hasOwn(known, name)) continue
    const option = prefix + name
    const hint = didYouMean(name, Object.keys(known), prefix)
    const message = `There is no option ${cleanText(option, 60)}.${hint}`
    throw new AgentDiscoveryError('invalid_option', message, { option })
  }
}
