import type {
  ApplicationV1,
  InterfaceV1,
  LinksV1,
  ModuleV1,
  PoliciesV1,
  SecuritySchemeV1,
  UsageGuidanceV1,
} from '@doorplate/aadp-schemas'
import type { FaultListener } from '../errors/fault.js'
import type { ResourceConfig } from './resource-config.js'
import type { RoutesConfig } from '../routes/route-table.js'

/** What to do about a record that cannot go into a sitemap. */
export type RecordPolicy = 'omit' | 'fail'

/** The declaration of an application. Objects named as in the manifest have the shape of the manifest. */
export interface AadpConfig {
  /** Origin of every published URL: scheme, host and port. Never derived from a request. */
  readonly baseUrl: string
  /** Wire version. Default `1.0`, the only one. */
  readonly version?: '1.0'
  readonly application: ApplicationV1
  /** `links` of the manifest. Default: none. */
  readonly links?: LinksV1
  readonly policies: PoliciesV1
  /** `usage_guidance` of the manifest. Default: none. */
  readonly usageGuidance?: UsageGuidanceV1
  /** `security_schemes` of the manifest, by the id that resources name. Default: none. */
  readonly securitySchemes?: Readonly<Record<string, SecuritySchemeV1>>
  /** `modules` of the manifest. Default: none. */
  readonly modules?: readonly ModuleV1[]
  /** `interfaces` of the manifest. Default: none. */
  readonly interfaces?: readonly InterfaceV1[]
  readonly resources: readonly ResourceConfig[]
  /** `max-age` of what anybody may cache, whole seconds, 0 to 31,536,000. Default 300. */
  readonly cacheMaxAgeSeconds?: number
  /** Records asked from `list` at once, 1 or more; 100 at most are used. Default 50. */
  readonly pageSize?: number
  readonly routes?: RoutesConfig
  /** When the declaration last changed: `generated_at` of the sitemap index. Default: when it was first served. */
  readonly lastModified?: string | Date
  /** Signs cursors; the first signs, all are accepted. 32 characters or more each. Default: cursors are not signed. */
  readonly cursorSecret?: string | readonly string[]
  /** Bound of the memory for published representations, bytes. Default 64 MiB; 0 keeps none. */
  readonly cacheMaxBytes?: number
  /**
   * Answers anew from `list` and `get` only after this time, and asks once for all who ask meanwhile, without the request of
   * any of them; open resources only. Milliseconds. Default 0: every request asks them.
   */
  readonly documentCacheMs?: number
  /** Longest wait for `list`, `get` or `count`, milliseconds. Default: none. */
  readonly upstreamTimeoutMs?: number
  /** Status when that wait is over. Default 504. */
  readonly upstreamTimeoutStatus?: 502 | 504
  /** A record whose data can never be published (not JSON, a bad id): left out of its page, or the page fails. Default `omit`. */
  readonly unpublishableRecords?: RecordPolicy
  /** A record whose `serialize` throws: the page fails, or the record is left out, which readers take for a deletion. Default `fail`. */
  readonly failingRecords?: RecordPolicy
  /**
   * Called with each fault that is the server's own, whether or not a request failed for it. Default: prints a line of it with
   * `console.error`, once for each record that is left out.
   */
  readonly onError?: FaultListener
  /** Clock, milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number
  /** Makes `request_id`. Default `crypto.randomUUID`. */
  readonly requestId?: () => string
  /** Published in the manifest. */
  readonly [extension: `x_${string}`]: unknown
}
