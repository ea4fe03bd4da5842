import { checkOption, isAbsentOr } from '../options/check-option.js'
import { baseUrl } from '../url/web-url.js'
import { describeResource } from './described-resource.js'
import { htmlHead, htmlNotice, linkHeader } from './page-signals.js'
import { SIGNALS, type SiteDescription, type SiteSignals } from './site-description.js'
import { apiCatalog, ard, documents, llmsTxt, robotsLines } from './site-files.js'

/**
 * Derives every discovery signal from one description.
 *
 * @throws {AgentDiscoveryError} `invalid_url`; `invalid_option` for a resource of an unknown kind or with an unusable URL
 */
export function describeSite(description: SiteDescription): SiteSignals {
  const site = baseUrl(description.url)
  checkOption('name', typeof (description.name as unknown) === 'string', 'a text')
  checkOption('resources', Array.isArray(description.resources), 'a list')
  checkPreferences(description)
  const resources = description.resources.map((resource, index) => describeResource(resource, index, site))
  const signals = {
    linkHeader: linkHeader(resources),
    htmlHead: htmlHead(resources),
    htmlNotice: htmlNotice(description, resources),
    llmsTxt: llmsTxt(description, resources),
    apiCatalog: apiCatalog(site, resources),
    ard: ard(site, resources),
    robotsLines: robotsLines(description, resources),
  }
  return { ...signals, documents: documents(site, resources, signals) }
}

/** What is not `true` or `y` must not become a refusal by accident, nor a name a line of its own. */
function checkPreferences({ contentSignal = {}, contentUsage = {} }: SiteDescription): void {
  for (const name of SIGNALS)
    checkOption(`contentSignal.${name}`, isAbsentOr('boolean', contentSignal[name]), 'true or false')
  const isUsage = Object.entries(contentUsage).every(
    ([name, answer]) => /^[a-z][a-z0-9_.*-]*$/.test(name) && ['y', 'n'].includes(answer),
  )
  checkOption('contentUsage', isUsage, 'names of categories with y or n')
}
