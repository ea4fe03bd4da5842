export {
  AadpSchemasError,
  InvalidArgumentError,
  isAadpSchemasError,
  UnknownKindError,
  UnsupportedAadpVersionError,
} from './errors.js'
export type { AadpSchemasErrorCode } from './errors.js'
export type { Entity as EntityV0_1 } from './generated/v0.1/entity.js'
export type {
  ErrorDetail as ErrorDetailV0_1,
  ErrorEnvelope as ErrorEnvelopeV0_1,
} from './generated/v0.1/error.js'
export type { Manifest as ManifestV0_1 } from './generated/v0.1/manifest.js'
export type {
  SitemapIndex as SitemapIndexV0_1,
  SitemapIndexEntry as SitemapIndexEntryV0_1,
} from './generated/v0.1/sitemap-index.js'
export type {
  Cursor as CursorV0_1,
  Sitemap as SitemapV0_1,
  SitemapItem as SitemapItemV0_1,
} from './generated/v0.1/sitemap.js'
export type { Entity as EntityV1 } from './generated/v1.0/entity.js'
export type {
  ErrorDetail as ErrorDetailV1,
  ErrorEnvelope as ErrorEnvelopeV1,
} from './generated/v1.0/error.js'
export type {
  ApiKeySecurityScheme as ApiKeySecuritySchemeV1,
  Application as ApplicationV1,
  Attribution as AttributionV1,
  ContentLicense as ContentLicenseV1,
  Discovery as DiscoveryV1,
  Interface as InterfaceV1,
  Links as LinksV1,
  Manifest as ManifestV1,
  Module as ModuleV1,
  OAuth2SecurityScheme as OAuth2SecuritySchemeV1,
  OpenSecurityScheme as OpenSecuritySchemeV1,
  Policies as PoliciesV1,
  Publisher as PublisherV1,
  Resource as ResourceV1,
  SecurityScheme as SecuritySchemeV1,
  UsageGuidance as UsageGuidanceV1,
} from './generated/v1.0/manifest.js'
export type {
  SitemapIndex as SitemapIndexV1,
  SitemapIndexEntry as SitemapIndexEntryV1,
} from './generated/v1.0/sitemap-index.js'
export type {
  Cursor as CursorV1,
  Sitemap as SitemapV1,
  SitemapItem as SitemapItemV1,
} from './generated/v1.0/sitemap.js'
export {
  CHECKSUM_GRAMMAR,
  ENTITY_ID_GRAMMAR,
  EXTENSION_KEY_GRAMMAR,
  isExtensionKey,
  TOKEN_GRAMMAR,
} from './grammar.js'
export { checkManifestSemantics } from './manifest-semantics/check-manifest-semantics.js'
export { hasSemanticErrors } from './manifest-semantics/semantic-issue.js'
export type { SemanticIssue } from './manifest-semantics/semantic-issue.js'
export { validateDocument } from './validate-document.js'
export type { DocumentToValidate, ValidationIssue, ValidationResult } from './validate-document.js'
export { KINDS, SUPPORTED_VERSIONS } from './versions.js'
export type { AadpVersion, Kind } from './versions.js'
