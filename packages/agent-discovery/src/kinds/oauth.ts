import { arrayMember, objectMember, stringMember, type JsonObject } from '../json/json-value.js'
import { cleanText } from '../text/untrusted-text.js'
import { resolveWebUrl } from '../url/web-url.js'
import {
  invalid,
  judged,
  reachable,
  type Identification,
  type NamedResource,
  type ReceivedDocument,
} from './identification.js'
import { issuerMetadataUrls, resourceMetadataUrlsOf } from './oauth-metadata-urls.js'

const OPENID_MEMBERS = [
  'authorization_endpoint',
  'jwks_uri',
  'response_types_supported',
  'subject_types_supported',
  'id_token_signing_alg_values_supported',
] as const
const MAX_ISSUERS = 10

/** OAuth and OpenID Connect metadata: of an authorization server (RFC 8414), a provider, or a protected resource (RFC 9728). */
export function recognizeOauth(data: JsonObject, document: ReceivedDocument): Identification | undefined {
  const { promised } = document
  const issuer = stringMember(data, 'issuer')
  const isServer = promised === 'oauth-authorization-server' || promised === 'openid-configuration'
  if (issuer !== undefined && (isServer || hasEndpoint(data))) return server(data, issuer, document)
  if (isServer && (objectMember(data, 'agent_auth') ?? hasEndpoint(data) ?? stringMember(data, 'resource')))
    return serverWithoutIssuer(data, document)
  if (
    stringMember(data, 'resource') !== undefined &&
    (promised === 'oauth-protected-resource' || arrayMember(data, 'authorization_servers'))
  ) {
    return protectedResource(data, document)
  }
  return undefined
}

function hasEndpoint(data: JsonObject): true | undefined {
  return stringMember(data, 'authorization_endpoint') || stringMember(data, 'token_endpoint')
    ? true
    : undefined
}

function server(data: JsonObject, issuer: string, document: ReceivedDocument): Identification {
  const openid =
    document.promised === 'openid-configuration' ||
    (document.promised !== 'oauth-authorization-server' &&
      OPENID_MEMBERS.every((name) => Object.hasOwn(data, name)))
  const required = openid ? OPENID_MEMBERS : (['response_types_supported'] as const)
  const reasons = [
    ...(issuerMatches(issuer, document.url) ? [] : ['issuer-mismatch']),
    ...required.filter((name) => !Object.hasOwn(data, name)).map((name) => `missing-member: ${name}`),
  ]
  return judged(openid ? 'openid-configuration' : 'oauth-authorization-server', reasons, {
    signature: ['issuer and endpoints'],
    claims: { issuer: cleanText(issuer, 300) },
    named: agentAuth(data, document.url),
  })
}

/** The metadata must lie where its own issuer says it lies (RFC 8414, 3.3). */
function issuerMatches(issuer: string, url: string): boolean {
  const resolved = resolveWebUrl(issuer, 'invalid:/')
  return 'url' in resolved && issuerMetadataUrls(issuer).includes(url)
}

function serverWithoutIssuer(data: JsonObject, document: ReceivedDocument): Identification {
  const looksElse = stringMember(data, 'resource') !== undefined
  return invalid(document.promised ?? 'oauth-authorization-server', ['missing-issuer'], {
    signature: objectMember(data, 'agent_auth') ? ['agent_auth is an object'] : [],
    warnings: looksElse ? ['looks-like-protected-resource-metadata'] : [],
    named: agentAuth(data, document.url),
    issuers: issuersOf(data),
  })
}

function protectedResource(data: JsonObject, { url }: ReceivedDocument): Identification {
  const resource = stringMember(data, 'resource') ?? ''
  const resolved = resolveWebUrl(resource, 'invalid:/')
  const matches = 'url' in resolved && resourceMetadataUrlsOf(resolved.url).includes(url)
  const issuers = issuersOf(data)
  const finding = {
    signature: ['resource is a URL'],
    warnings: issuers.length === 0 ? ['no-authorization-servers'] : [],
    claims: { resource: cleanText(resource, 300) },
    named: agentAuth(data, url),
    issuers,
  }
  // Elsewhere it is for the request whose challenge names it (RFC 9728, 3.3): this document alone cannot tell.
  return matches || isConventional(url)
    ? judged('oauth-protected-resource', matches ? [] : ['resource-mismatch'], finding)
    : reachable('oauth-protected-resource', 'unconfirmed-resource', finding)
}

function isConventional(url: string): boolean {
  return new URL(url).pathname.startsWith('/.well-known/oauth-protected-resource')
}

function issuersOf(data: JsonObject): readonly string[] {
  const listed = (arrayMember(data, 'authorization_servers') ?? []).slice(0, MAX_ISSUERS)
  return listed.flatMap((issuer) => {
    const resolved = typeof issuer === 'string' ? resolveWebUrl(issuer, 'invalid:/') : undefined
    return resolved && 'url' in resolved ? [resolved.url.href] : []
  })
}

/** The `agent_auth` block of auth.md points to its skill. */
function agentAuth(data: JsonObject, base: string): NamedResource[] {
  const block = objectMember(data, 'agent_auth')
  const resolved = resolveWebUrl((block && stringMember(block, 'skill')) ?? 'invalid:', base)
  return 'url' in resolved ? [{ url: resolved.url.href, kind: 'auth-md', via: 'agent_auth.skill' }] : []
}
