import { checkOptionNames, type MemberNames } from '../options/check-option-names.js'
import { checkOption, isAbsentOr, isRecord } from '../options/check-option.js'
import { checkLlmsTxt } from '../llms-txt/check-llms-txt.js'
import { SIGNALS, type SiteDescription } from './site-description.js'

const NAMES: MemberNames<SiteDescription> = {
  url: true,
  name: true,
  summary: true,
  resources: true,
  contentSignal: true,
  contentUsage: true,
  notice: true,
  llmsTxt: true,
}

const SIGNAL_NAMES = Object.fromEntries(SIGNALS.map((name) => [name, true as const]))

/**
 * Refuses a description that is not what it must be, but for its URL and its resources.
 *
 * @throws {AgentDiscoveryError} `invalid_option`
 */
export function checkDescription(description: SiteDescription): void {
  checkOptionNames(description, NAMES, 'description')
  const { name, summary, notice, resources } = description
  checkOption('name', typeof (name as unknown) === 'string', 'a text')
  checkOption('summary', isAbsentOr('string', summary), 'a text')
  checkOption('notice', isAbsentOr('string', notice), 'a text')
  checkOption('resources', Array.isArray(resources), 'a list')
  checkPreferences(description)
  checkExtraText(description)
}

/** What is not `true` or `y` must not become a refusal by accident, nor a name a line of its own. */
function checkPreferences({ contentSignal = {}, contentUsage = {} }: SiteDescription): void {
  checkOptionNames(contentSignal, SIGNAL_NAMES, 'contentSignal')
  for (const name of SIGNALS)
    checkOption(`contentSignal.${name}`, isAbsentOr('boolean', contentSignal[name]), 'true or false')
  const isUsage =
    isRecord(contentUsage) &&
    Object.entries(contentUsage).every(
      ([name, answer]) => /^[a-z][a-z0-9_.*-]*$/.test(name) && ['y', 'n'].includes(answer),
    )
  checkOption('contentUsage', isUsage, 'names of categories with y or n')
}

function checkExtraText({ llmsTxt = {} }: SiteDescription): void {
  checkOptionNames(llmsTxt, { details: true, sections: true }, 'llmsTxt')
  checkLlmsTxt(llmsTxt, 'llmsTxt.')
}
