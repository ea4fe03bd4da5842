import {
  checkManifestSemantics,
  type AadpVersion,
  type EntityV0_1,
  type EntityV1,
  type ManifestV0_1,
  type ManifestV1,
  type SecuritySchemeV1,
  type SemanticIssue,
  type SitemapIndexV0_1,
  type SitemapIndexV1,
  type SitemapV0_1,
  type SitemapV1,
} from '@doorplate/aadp-schemas'

/** The document types of each protocol version. */
export interface DocumentTypes {
  '1.0': { manifest: ManifestV1; 'sitemap-index': SitemapIndexV1; sitemap: SitemapV1; entity: EntityV1 }
  '0.1': {
    manifest: ManifestV0_1
    'sitemap-index': SitemapIndexV0_1
    sitemap: SitemapV0_1
    entity: EntityV0_1
  }
}

export type DocumentKind = keyof DocumentTypes['1.0']

/** All that differs between protocol versions for a reader. There is no fallback from one to the other. */
export interface Wire<V extends AadpVersion> {
  readonly version: V
  checkManifest(manifest: unknown): readonly SemanticIssue[]
  sitemapIndexUrl(manifest: DocumentTypes[V]['manifest']): string
  /** Ids of the security schemes that the manifest declares. */
  securitySchemes(manifest: DocumentTypes[V]['manifest']): readonly string[]
  /** The security scheme that the manifest names for the resources of a type. */
  securityScheme(manifest: DocumentTypes[V]['manifest'], type: string): NamedSecurityScheme | undefined
}

export interface NamedSecurityScheme {
  readonly id: string
  readonly scheme: SecuritySchemeV1
}

export const WIRE_V1: Wire<'1.0'> = {
  version: '1.0',
  checkManifest: checkManifestSemantics,
  sitemapIndexUrl: (manifest) => manifest.discovery.sitemap_index,
  securitySchemes: ({ security_schemes: schemes = {} }) => Object.keys(schemes),
  securityScheme({ resources, security_schemes: schemes }, type) {
    const id = resources?.find((resource) => resource.type === type)?.security
    if (id === undefined || !schemes || !Object.hasOwn(schemes, id)) return undefined
    const scheme = schemes[id]
    return scheme && { id, scheme }
  },
}

export const WIRE_V0_1: Wire<'0.1'> = {
  version: '0.1',
  checkManifest: () => [],
  sitemapIndexUrl: (manifest) => manifest.sitemap_index,
  securitySchemes: () => [],
  securityScheme: () => undefined,
}
