import type { AadpConfig } from './aadp-config.js'
import type { Resource } from './resource-config.js'

/** Who may keep the documents of a resource, and which request fields they depend on. */
export interface DeliveryPolicy {
  /** `Cache-Control` of what anybody may read. */
  readonly publicCacheControl: string
  cacheControl(resource: Resource): string
  /** True when a security scheme other than `none` protects the resource. */
  isSecured(resource: Resource): boolean
}

export function createDeliveryPolicy(
  securitySchemes: AadpConfig['securitySchemes'] = {},
  cacheMaxAgeSeconds: number,
): DeliveryPolicy {
  const schemes = new Map(Object.entries(securitySchemes).map(([id, { type }]) => [id, type]))
  const publicCacheControl = `public, max-age=${String(cacheMaxAgeSeconds)}`

  function isSecured({ security }: Resource): boolean {
    return security !== undefined && schemes.get(security) !== 'none'
  }

  return {
    publicCacheControl,
    isSecured,
    cacheControl: (resource) => (isSecured(resource) ? 'private, no-store' : publicCacheControl),
  }
}
