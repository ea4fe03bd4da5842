export type { AadpConfig, RecordPolicy } from './config/aadp-config.js'
export type { ApiCatalog, LinkContext, LinkTarget } from './documents/api-catalog.js'
export { AadpConfigError, isAadpConfigError } from './errors/config-error.js'
export type { AadpConfigErrorCode } from './errors/config-error.js'
export { createCollection } from './records/create-collection.js'
export type { Collection, CollectionOptions } from './records/create-collection.js'
export { defineAADP } from './define-aadp.js'
export type { AadpServer } from './define-aadp.js'
export { defineResource } from './config/define-resource.js'
export type { Fault, FaultListener, FaultOperation } from './errors/fault.js'
export type { OpenApiDocument } from './documents/openapi-document.js'
export type { CoreResponse } from './documents/published-document.js'
export type { IncomingRequest } from './upstream/request-context.js'
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
} from './config/resource-config.js'
export type { RoutesConfig } from './routes/route-table.js'
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
} from './errors/server-error.js'
export type { AadpServerErrorCode, AadpServerErrorOptions } from './errors/server-error.js'
export { UnpublishableRecordError } from './errors/unpublishable-record-error.js'
