export {
  parseWwwAuthenticate,
  type Challenge,
  type ChallengeWarning,
  type ParseWwwAuthenticateOptions,
} from './www-authenticate/parse-www-authenticate.js'
export { resourceMetadataUrls, type ResourceMetadataUrl } from './www-authenticate/resource-metadata-urls.js'
