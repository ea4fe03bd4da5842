import { baseUrl } from '../url/web-url.js'
import { checkDescription } from './check-description.js'
import { describeResource } from './described-resource.js'
import { htmlHead, htmlNotice, linkHeader } from './page-signals.js'
import type { SiteDescription, SiteSignals } from './site-description.js'
import { apiCatalog, ard, documents, llmsTxt, robotsLines } from './site-files.js'

/**
 * Derives every discovery signal from one description.
 *
 * @throws {AgentDiscoveryError} `invalid_url`; `invalid_option` for what is missing, misspelt or of another type, a kind that cannot
 *   be published, and an unusable URL
 */
export function describeSite(description: SiteDescription): SiteSignals {
  checkDescription(description)
  const site = baseUrl(description.url)
  const resources = Array.from(description.resources, (resource, index) =>
    describeResource(resource, index, site),
  )
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
