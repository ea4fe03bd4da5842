/** Query members of signed URLs: object stores, content networks and bearer tokens in links. */
const SIGNED =
  /^(?:x-(?:amz|goog|oss|cos|obs|ms)-.+|awsaccesskeyid|googleaccessid|key-pair-id|signature|sig|access_?token|id_token|token|jwt|api_?key|secret|password)$/i

/** Members that a signature makes secret or pointless along with it. */
const ALONGSIDE = /^(?:expires|policy|se|st|sp|sr|sv|skoid|sktid|skt|ske|sks|skv)$/i

export interface RedactedUrl {
  readonly url: string
  /** The URL carried a signature or token, so that it works for a while only. */
  readonly ephemeral: boolean
}

/** Replaces the values of signed query members: they grant access, so that they must not travel in reports. */
export function redactUrl(url: string): RedactedUrl {
  const parsed = new URL(url)
  if (parsed.search === '') return { url: parsed.href, ephemeral: false }
  const names = [...parsed.searchParams.keys()]
  if (!names.some((name) => SIGNED.test(name))) return { url: parsed.href, ephemeral: false }
  for (const name of names)
    if (SIGNED.test(name) || ALONGSIDE.test(name)) parsed.searchParams.set(name, 'REDACTED')
  return { url: parsed.href, ephemeral: true }
}
