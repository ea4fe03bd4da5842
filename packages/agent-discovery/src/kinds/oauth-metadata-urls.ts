/** Where the metadata of an issuer can lie, in the order in which to try: RFC 8414, then OpenID Connect inserted and appended. */
export function issuerMetadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/+$/, '')
  return [
    ...new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
    ]),
  ]
}

/** Where the metadata of a protected resource can lie: with its path inserted, then at the root (RFC 9728, 3.1). */
export function resourceMetadataUrlsOf(resource: string | URL): readonly string[] {
  const { origin, pathname } = new URL(resource)
  const path = pathname.replace(/\/+$/, '')
  const root = `${origin}/.well-known/oauth-protected-resource`
  return [...new Set([`${root}${path}`, root])]
}
