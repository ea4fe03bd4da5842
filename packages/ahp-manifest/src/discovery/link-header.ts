import { checkNames, invalidOption } from '../manifest/ahp-manifest-error.js'
import { MANIFEST_MEDIA_TYPE, MANIFEST_PATH } from './well-known.js'

/** Options of `linkHeader`. */
export interface LinkHeaderOptions {
  /** A path on the origin of the site, or a URL. Default: `/.well-known/agent.json`. */
  readonly manifestUrl?: string
  /** Where llms.txt is, to announce it in the same field (`rel="describedby"`). Default: not announced. */
  readonly llmsTxtUrl?: string
}

/**
 * The value of a `Link` field (RFC 8288) that leads to the manifest. It names the relation of the present draft and that
 * of earlier ones.
 *
 * @throws {AhpManifestError} `invalid_option` when there is no such option, or a URL has characters that a URL does not have
 */
export function linkHeader(options: LinkHeaderOptions = {}): string {
  checkNames(options, ['manifestUrl', 'llmsTxtUrl'])
  const { manifestUrl = MANIFEST_PATH, llmsTxtUrl } = options
  const manifest = `<${target('manifestUrl', manifestUrl)}>; rel="ahp-manifest agent-manifest"; type="${MANIFEST_MEDIA_TYPE}"`
  if (llmsTxtUrl === undefined) return manifest
  return `${manifest}, <${target('llmsTxtUrl', llmsTxtUrl)}>; rel="describedby"; type="text/markdown"`
}

function target(option: string, url: string): string {
  if (!/^[\x21-\x7e]+$/.test(url) || /[<>"\\^`{|}]/.test(url))
    throw invalidOption(option, 'must be a URL, percent-encoded')
  return url
}
