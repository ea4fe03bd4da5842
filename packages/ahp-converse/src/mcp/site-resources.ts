import { MANIFEST_PATH } from '@doorplate/ahp-manifest'
import {
  ProtocolError,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import type { CoreRequest } from '../server/core-message.js'
import type { FaceSite } from '../server/face.js'
import type { Exchange } from './exchange.js'
import { REFUSED } from './json-rpc.js'

export interface SiteResources {
  readonly list: readonly Resource[]
  /** @throws {ProtocolError} for what is not the site's, and when the concierge refuses */
  read(uri: string, exchange: Exchange): Promise<ReadResourceResult>
}

/** The documents of the site and its jobs, by their own URLs: read in this process, so that no URL is ever fetched. */
export function createSiteResources(site: FaceSite): SiteResources {
  const { manifest, publicUrl, contentPath } = site
  const { name = publicUrl, endpoints, integrations = {} } = manifest
  const paths = new Map<string, string>()
  const list: Resource[] = []
  offer(MANIFEST_PATH, {
    name: 'manifest',
    description: `What agents can do at ${name}.`,
    mimeType: 'application/json',
  })
  if (contentPath !== undefined)
    offer(contentPath, {
      name: 'content',
      description: `What to read first at ${name}.`,
      mimeType: 'text/markdown',
    })
  const description = Object.hasOwn(integrations, 'openapi') ? integrations['openapi'] : undefined
  if (description?.url.startsWith('/') === true)
    offer(description.url, {
      name: 'openapi',
      description: 'The same capabilities over HTTP.',
      mimeType: 'application/json',
    })
  const jobs = `${publicUrl}${endpoints?.converse ?? ''}/status/`

  return { list, read }

  function offer(path: string, resource: Omit<Resource, 'uri'>): void {
    const uri = `${publicUrl}${path}`
    paths.set(uri, path)
    list.push({ uri, ...resource })
  }

  async function read(uri: string, exchange: Exchange): Promise<ReadResourceResult> {
    const path = paths.get(uri) ?? (uri.startsWith(jobs) ? uri.slice(publicUrl.length) : undefined)
    if (path === undefined) throw new ResourceNotFoundError(uri)
    const { status, headers, body } = await site.respond(readingOf(path, exchange))
    exchange.reply = { status, headers: limitsIn(headers) }
    if (status === 404) throw new ResourceNotFoundError(uri)
    if (status !== 200 || body === null)
      throw new ProtocolError(REFUSED, 'The resource cannot be read now.', parsed(body))
    const [mimeType = ''] = (headers['content-type'] ?? '').split(';')
    return { contents: [{ uri, mimeType, text: body }] }
  }
}

/** The same caller reading: its credential counts, what it accepts or has kept does not. */
function readingOf(path: string, { request, caller }: Exchange): CoreRequest {
  const { credential } = caller
  const fields = new Map<string, string | null>([
    ['x-forwarded-for', request.header('x-forwarded-for')],
    ['authorization', credential?.scheme === 'bearer' ? `Bearer ${credential.value}` : null],
    ['x-ahp-key', credential?.scheme === 'api_key' ? credential.value : null],
  ])
  return {
    method: 'GET',
    target: path,
    header: (name) => fields.get(name) ?? null,
    readBody: () => Promise.resolve(new Uint8Array()),
    remoteAddress: request.remoteAddress,
    get signal() {
      return request.signal
    },
  }
}

function limitsIn(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const isLimit = ([name]: readonly [string, string]): boolean =>
    name.includes('ratelimit') ||
    name === 'retry-after' ||
    name === 'www-authenticate' ||
    name === 'x-request-id'
  return Object.fromEntries(Object.entries(headers).filter(isLimit))
}

function parsed(body: string | null): unknown {
  try {
    return body === null ? undefined : JSON.parse(body)
  } catch {
    return undefined
  }
}
