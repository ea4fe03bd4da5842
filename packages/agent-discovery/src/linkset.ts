export {
  parseLinkset,
  type Linkset,
  type LinksetIssue,
  type LinksetLink,
  type ParseLinksetOptions,
} from './linkset/parse-linkset.js'
export { formatLinkset, type LinksetContext, type LinksetTarget } from './linkset/format-linkset.js'
