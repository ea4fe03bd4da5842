import type { ManifestV1 } from '@doorplate/aadp-schemas'
import {
  counted,
  isConformanceError,
  judged,
  type Exchange,
  type Finding,
  type Outcome,
} from '@doorplate/conformance-kit'
import pMap from 'p-map'
import type { Rule } from '../requirements.js'
import type { Site } from '../site/site.js'
import type { SiteCheck } from './site-check.js'

/** What the manifest links to. */
export function linkChecks(rule: Rule): readonly SiteCheck[] {
  return [
    {
      id: 'links.no_dead_urls',
      title: 'The pages, schemas, interfaces and policies that the manifest links to exist',
      requirements: [rule('MAN-069')],
      needs: ['manifest.schema'],
      hint: 'Correct or leave out the URL.',
      run: judgeLinks,
    },
  ]
}

interface ManifestLink {
  readonly pointer: string
  readonly url: string
  /** True for URLs that are not made for GET, where a 404 proves little. */
  readonly isEndpoint: boolean
}

async function judgeLinks(site: Site): Promise<Outcome> {
  const { data } = await site.manifest()
  const links = linksOf(data as ManifestV1)
  const byUrl = new Map(links.map((link) => [link.url, link]))
  const findings = await pMap([...byUrl.values()], (link) => judgeLink(site, link), {
    concurrency: site.settings.concurrency,
  })
  return judged(findings.flat(), counted(byUrl.size, 'link'))
}

async function judgeLink(
  site: Site,
  { pointer, url, isEndpoint }: ManifestLink,
): Promise<readonly Finding[]> {
  const { rule, manifestUrl } = site
  const finding = (message: string, advisory: boolean): readonly Finding[] => [
    { requirement: rule('MAN-069'), url: manifestUrl, pointer, message: `${url}: ${message}`, advisory },
  ]
  const exchange = await sendTo(site, url)
  if (exchange === undefined) return []
  if (!exchange.ok) {
    // A page that is too long for us is there.
    if (exchange.failure.code === 'response_too_large') return []
    return finding(`no response: ${exchange.failure.message} (${exchange.failure.code})`, true)
  }
  const { status } = exchange.response
  if (status === 404 || status === 410) return finding(`status ${status}`, isEndpoint)
  return status >= 500 ? finding(`status ${status}`, true) : []
}

/** Another site that answers less often than it is asked is there, and that is all this is about. */
async function sendTo({ log, origin }: Site, url: string): Promise<Exchange | undefined> {
  try {
    return await log.send({ url, headers: { accept: '*/*' } })
  } catch (error) {
    const isLimited = isConformanceError(error) && error.budget === 'rateLimit'
    if (isLimited && new URL(url).origin !== origin) return undefined
    throw error
  }
}

/** Every URL of the manifest that should lead somewhere, and where it stands. */
function linksOf(manifest: ManifestV1): readonly ManifestLink[] {
  const {
    application,
    links = {},
    modules = [],
    interfaces = [],
    security_schemes: schemes = {},
    policies,
    usage_guidance: guidance,
  } = manifest
  const pages: readonly (readonly [string, string | undefined])[] = [
    ['/application/publisher/url', application.publisher.url],
    ...(['homepage', 'feed', 'search', 'profiles'] as const).map(
      (name) => [`/links/${name}`, links[name]] as const,
    ),
    ...modules.map(({ schema }, index) => [`/modules/${index}/schema`, schema] as const),
    ...interfaces.map(
      ({ documentation }, index) => [`/interfaces/${index}/documentation`, documentation] as const,
    ),
    ...(['robots', 'terms', 'privacy', 'copyright'] as const).map(
      (name) => [`/policies/${name}`, policies[name]] as const,
    ),
    ['/policies/content_license/url', policies.content_license?.url],
    ['/usage_guidance/attribution/publisher_url', guidance?.attribution?.publisher_url],
  ]
  const endpoints: readonly (readonly [string, string | undefined])[] = [
    ...interfaces.map(({ endpoint }, index) => [`/interfaces/${index}/endpoint`, endpoint] as const),
    ...Object.entries(schemes).flatMap(([name, scheme]) =>
      scheme.type === 'oauth2'
        ? [
            [`/security_schemes/${name}/authorization_url`, scheme.authorization_url] as const,
            [`/security_schemes/${name}/token_url`, scheme.token_url] as const,
          ]
        : [],
    ),
  ]
  return [...fetchable(pages, false), ...fetchable(endpoints, true)]
}

/** Leaves out absent links, other schemes and URL templates. */
function fetchable(
  links: readonly (readonly [string, string | undefined])[],
  isEndpoint: boolean,
): readonly ManifestLink[] {
  return links.flatMap(([pointer, url]) =>
    url !== undefined && URL.canParse(url) && /^https?:/.test(url) && !/[{}]/.test(url)
      ? [{ pointer, url, isEndpoint }]
      : [],
  )
}
