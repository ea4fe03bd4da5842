export {
  parseLinkset,
  type Linkset,
  type LinksetIssue,
  type LinksetLink,
  type ParseLinksetOptions,
} from './linkset/parse-linkset.js'
export { parseLinksetText, type ParseLinksetTextOptions } from './linkset/parse-linkset-text.js'
export { formatLinkset, type LinksetContext, type LinksetTarget } from './linkset/format-linkset.js'
