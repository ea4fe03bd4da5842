import {
  type ActingCapability,
  type AnsweringCapability,
  defineManifest,
  type Manifest,
  type RateLimits,
} from '@doorplate/ahp-manifest'
import type { ConciergeConfig } from './concierge-config.js'
import type { ServedCapability } from './served-capability.js'

/** What follows from the parts of a site rather than from its declaration. */
export interface SiteFacts {
  readonly converse: string
  readonly content: string
  /** Where anything is answered as a job. */
  readonly maxEtaSeconds: number | undefined
  readonly rateLimits: RateLimits
}

/** The manifest of a declaration. @throws {AhpManifestError} `invalid_manifest` */
export function siteManifest(
  config: ConciergeConfig,
  capabilities: ReadonlyMap<string, ServedCapability>,
  { converse, content, maxEtaSeconds, rateLimits }: SiteFacts,
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
        response_types: capability.responseTypes,
        accept_fallback: capability.acceptFallback,
        ...surfaceOf(capability),
      })),
      ...(maxEtaSeconds === undefined ? {} : { async: { supported: true, max_eta_seconds: maxEtaSeconds } }),
      authentication: config.authentication ?? (asks ? 'bearer' : 'none'),
      rate_limits: rateLimits,
      content_signals: contentSignals,
      ...(links === undefined ? {} : { links }),
      ...(Object.keys(integrations).length === 0 ? {} : { integrations }),
    },
    { baseUrl: publicUrl, schema01Strict: schema01Strict ?? false },
  )
}

type Surface =
  | Pick<AnsweringCapability, 'mode' | 'input_schema' | 'output_schema'>
  | Pick<ActingCapability, 'mode' | 'action_type' | 'input_schema' | 'output_schema'>

function surfaceOf({ mode, actionType, inputSchema, outputSchema }: ServedCapability): Surface {
  if (mode === 'MODE3' && actionType !== undefined && inputSchema !== undefined && outputSchema !== undefined)
    return {
      mode,
      action_type: actionType,
      input_schema: inputSchema.jsonSchema,
      output_schema: outputSchema.jsonSchema,
    }
  return {
    mode: mode === 'MODE1' ? mode : 'MODE2',
    ...(inputSchema === undefined ? {} : { input_schema: inputSchema.jsonSchema }),
    ...(outputSchema === undefined ? {} : { output_schema: outputSchema.jsonSchema }),
  }
}
