export type { AadpConfig, RecordPolicy } from './aadp-config.js'
export type { ApiCatalog, LinkContext, LinkTarget } from './api-catalog.js'
export { AadpConfigError, isAadpConfigError } from './config-error.js'
export type { AadpConfigErrorCode } from './config-error.js'
export { createCollection } from './create-collection.js'
export type { Collection, CollectionOptions } from './create-collection.js'
export { defineAADP } from './define-aadp.js'
export type { AadpServer } from './define-aadp.js'
export { defineResource } from './define-resource.js'
export type { Fault, FaultListener, FaultOperation } from './fault.js'
export type { OpenApiDocument } from './openapi-document.js'
export type { CoreResponse } from './published-document.js'
export type { IncomingRequest } from './request-context.js'
export type {
  GetArguments,
  ListArguments,
  ListResult,
  MediaType,
  RecordIdentity,
  Resource,
  ResourceConfig,
  SerializeContext,
  SerializedEntity,
  UpstreamContext,
} from './resource-config.js'
export type { RoutesConfig } from './route-table.js'
export {
  AadpServerError,
  forbidden,
  invalidRequest,
  isAadpServerError,
  notFound,
  rateLimited,
  unauthorized,
  unsupportedType,
  upstreamUnavailable,
} from './server-error.js'
export type { AadpServerErrorCode, AadpServerErrorOptions } from './server-error.js'
export { UnpublishableRecordError } from './unpublishable-record-error.js'
