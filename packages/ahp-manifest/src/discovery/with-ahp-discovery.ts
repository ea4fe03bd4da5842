import type { Manifest } from '../generated/manifest/manifest.js'
import { agentNotice } from './agent-notice.js'
import { linkHeader } from './link-header.js'
import { checkNames, invalidOption } from '../manifest/ahp-manifest-error.js'
import { changeStream } from '../page/body-change.js'
import { describeChangedBody, isPlainBody, weakenKnownTag } from '../page/body-fields.js'
import { PageInserter } from '../page/page-inserter.js'
import { createManifestHandler, type ManifestHandlerOptions } from './manifest-handler.js'
import { negotiateManifest } from './negotiate-manifest.js'
import { MANIFEST_PATH } from './well-known.js'

/** Options of `withAhpDiscovery`. */
export interface AhpDiscoveryOptions extends ManifestHandlerOptions {
  /** The notice in pages, or false for none. Default: `hidden`. */
  readonly notice?: 'hidden' | 'visually-hidden' | false
  /** Where llms.txt is, to announce it in the `Link` field. Default: the content endpoint, if it is an llms.txt. */
  readonly llmsTxtUrl?: string
  /**
   * Paths at which `Accept` is not negotiated, besides those of the manifest: its endpoints and integrations. A path
   * stands for everything below it. Default: none.
   */
  readonly exceptPaths?: readonly string[]
}

const NOTICES: readonly AhpDiscoveryOptions['notice'][] = ['hidden', 'visually-hidden', false]

/**
 * Makes a Fetch handler lead agents to the manifest: serves it at `/.well-known/agent.json` and to requests that accept
 * `application/agent+json`, adds the `Link` field to every response and the notice to every page, error pages included.
 * Bodies stream, and what is not a page passes as it is.
 *
 * @throws {AhpManifestError} `invalid_option`
 */
export function withAhpDiscovery<Rest extends readonly unknown[]>(
  handler: (request: Request, ...rest: Rest) => Response | Promise<Response>,
  manifest: Readonly<Manifest>,
  options: AhpDiscoveryOptions = {},
): (request: Request, ...rest: Rest) => Promise<Response> {
  checkNames(options, ['notice', 'llmsTxtUrl', 'exceptPaths', 'maxAgeSeconds', 'allowOrigin'])
  const { notice: style = 'hidden', llmsTxtUrl: ownLlmsTxtUrl, exceptPaths = [], ...served } = options
  if (typeof (handler as unknown) !== 'function') throw invalidOption('handler', 'must be a Fetch handler')
  if (!NOTICES.includes(style)) throw invalidOption('notice', 'must be hidden, visually-hidden or false')
  if (!arePaths(exceptPaths))
    throw invalidOption('exceptPaths', 'must be a list of paths that begin with a slash')
  const serveManifest = createManifestHandler(manifest, served)
  const llmsTxtUrl = ownLlmsTxtUrl ?? llmsTxtOf(manifest)
  const link = linkHeader(llmsTxtUrl === undefined ? {} : { llmsTxtUrl })
  const converseUrl = manifest.endpoints?.converse
  const notice =
    style === false ? '' : agentNotice({ style, ...(converseUrl === undefined ? {} : { converseUrl }) })
  const fixedPaths = [...pathsOf(manifest), ...exceptPaths]

  return async (request, ...rest) => {
    const { pathname } = new URL(request.url)
    if (pathname === MANIFEST_PATH) return serveManifest(request)
    const isNegotiable = !fixedPaths.some((path) => isAtOrBelow(pathname, path))
    if (isNegotiable && negotiateManifest(request)) return varied(await serveManifest(request))
    const response = await handler(request, ...rest)
    return decorated(response, request, link, isNegotiable, notice)
  }
}

function arePaths(value: unknown): boolean {
  return Array.isArray(value) && value.every((path) => typeof path === 'string' && path.startsWith('/'))
}

function decorated(
  response: Response,
  request: Request,
  link: string,
  isNegotiable: boolean,
  notice: string,
): Response {
  // A failed fetch or a protocol switch is not a message that a `Response` can be made of.
  if (response.status < 200) return response
  const headers = new Headers(response.headers)
  if (headers.get('link')?.includes('ahp-manifest') !== true) headers.append('link', link)
  if (isNegotiable && isReading(request)) addVary(headers)
  const getsNotice = notice !== '' && isPlainBody(response, 'text/html')
  if (getsNotice) describeChangedBody(headers)
  else if (response.status === 304) weakenKnownTag(headers, request.headers.get('if-none-match'))
  const { body, status, statusText } = response
  const page =
    getsNotice && body !== null && !response.bodyUsed
      ? body.pipeThrough(changeStream(new PageInserter({ notice })))
      : body
  return new Response(page, { status, statusText, headers })
}

function isReading({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

function varied(response: Response): Response {
  addVary(response.headers)
  return response
}

function addVary(headers: Headers): void {
  const names = (headers.get('vary') ?? '').toLowerCase().split(',')
  if (!names.some((name) => ['*', 'accept'].includes(name.trim()))) headers.append('vary', 'Accept')
}

/** Endpoints that answer in a form of their own. */
function pathsOf({ endpoints, integrations = {} }: Readonly<Manifest>): string[] {
  const urls = [
    endpoints?.converse ?? '/agent/converse',
    ...Object.values(integrations).map(({ url }) => url),
  ]
  return urls.filter((url) => url.startsWith('/')).map((url) => new URL(url, 'https://site.invalid').pathname)
}

function isAtOrBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

function llmsTxtOf({ endpoints }: Readonly<Manifest>): string | undefined {
  const content = endpoints?.content
  return content?.endsWith('/llms.txt') === true ? content : undefined
}
