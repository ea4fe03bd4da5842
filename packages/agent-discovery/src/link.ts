export { formatLinkHeader, type LinkToFormat } from './link/format-link-header.js'
export {
  parseLinkHeader,
  type DroppedLink,
  type Link,
  type LinkDropReason,
  type LinkHeader,
  type ParseLinkHeaderOptions,
} from './link/parse-link-header.js'
export type { LinkParameter, LinkWarning } from './link/link-parameter.js'
