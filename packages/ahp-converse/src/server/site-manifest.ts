import { defineManifest, type Manifest, type RateLimits } from '@doorplate/ahp-manifest'
import type { ConciergeConfig } from './concierge-config.js'
import type { ServedCapability } from './served-capability.js'

/** What follows from the parts of a site rather than from its declaration. */
export interface SiteFacts {
  readonly converse: string
  readonly content: string
  readonly rateLimits: RateLimits
}

/** The manifest of a declaration. @throws {AhpManifestError} `invalid_manifest` */
export function siteManifest(
  config: ConciergeConfig,
  capabilities: ReadonlyMap<string, ServedCapability>,
  { converse, content, rateLimits }: SiteFacts,
): Readonly<Manifest> {
  const { name, description, publicUrl, contentSignals, links, faces = [], schema01Strict } = config
  const served = [...capabilities.values()]
  const offered = faces.map((face) => [face.name, { url: face.path, version: face.version }] as const)
  const integrations = { ...Object.fromEntries(offered), ...config.integrations }
  const asks = served.some(({ needsPrincipal }) => needsPrincipal)
  return defineManifest(
    {
      name,
      ...(description === undefined ? {} : { description }),
      endpoints: { converse, content },
      capabilities: served.map((capability) => ({
        name: capability.name,
        description: capability.description,
        mode: capability.mode,
        response_types: capability.responseTypes,
        accept_fallback: capability.acceptFallback,
      })),
      authentication: config.authentication ?? (asks ? 'bearer' : 'none'),
      rate_limits: rateLimits,
      content_signals: contentSignals,
      ...(links === undefined ? {} : { links }),
      ...(Object.keys(integrations).length === 0 ? {} : { integrations }),
    },
    { baseUrl: publicUrl, schema01Strict: schema01Strict ?? false },
  )
}
