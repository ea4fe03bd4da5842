export { formatLinkHeader, type LinkToFormat } from './link/format-link-header.js'
export {
  parseLinkHeader,
  type DroppedLink,
  type Link,
  type LinkDropReason,
  type LinkHeader,
  type LinkParameter,
  type LinkWarning,
  type ParseLinkHeaderOptions,
} from './link/parse-link-header.js'
