import { DEFAULT_ACCEPT_ENCODING } from '../body/content-decoders.js'
import { SafeFetchError } from '../errors.js'
import { displayUrl } from '../guard/check-url.js'
import { hasField } from '../header-list.js'
import type { HeaderList } from '../header-list.js'
import type { HopRequest } from './hop.js'
import type { Policy } from '../options/options.js'
import { signRequest } from './sign-request.js'
import type { SigningPolicy } from '../options/signing-options.js'

const DEFAULT_FIELDS: HeaderList = [
  ['accept', '*/*'],
  ['accept-encoding', DEFAULT_ACCEPT_ENCODING],
  ['user-agent', 'doorplate-safe-fetch'],
]

/** A signature is ours alone: beside another one, neither would be valid. */
const SIGNATURE_FIELDS: ReadonlySet<string> = new Set(['signature', 'signature-agent', 'signature-input'])

/**
 * Adds to a hop what is made for it alone: the credentials of its origin unless the chain has left that origin before,
 * defaults, and the signature, the only one that takes time. Nothing added here can travel to the next hop.
 */
export function completeRequest(
  request: HopRequest,
  leftOrigins: ReadonlySet<string>,
  policy: Policy,
): HopRequest | Promise<HopRequest> {
  const fields = addMissing(
    addMissing(request.headers, credentialsFor(request.url, leftOrigins, policy)),
    DEFAULT_FIELDS,
  )
  const complete = { ...request, headers: hasField(fields, 'range') ? withIdentityEncoding(fields) : fields }
  return policy.signing === null ? complete : withSignature(complete, policy.signing, policy.now())
}

async function withSignature(
  request: HopRequest,
  signing: SigningPolicy,
  nowMs: number,
): Promise<HopRequest> {
  const signature = await sign(request, signing, nowMs)
  const unsigned = request.headers.filter(([name]) => !SIGNATURE_FIELDS.has(name))
  return { ...request, headers: [...unsigned, ...signature] }
}

/** There is no unsigned fallback. The library that signs is loaded when first needed. */
async function sign(request: HopRequest, signing: SigningPolicy, nowMs: number): Promise<HeaderList> {
  try {
    return await signRequest(request, signing, nowMs)
  } catch (cause) {
    throw new SafeFetchError('signing_failed', 'The request could not be signed and was not sent.', {
      url: displayUrl(request.url),
      cause,
    })
  }
}

function credentialsFor(url: URL, leftOrigins: ReadonlySet<string>, policy: Policy): HeaderList {
  if (policy.credentials.size === 0 || leftOrigins.has(url.origin)) return []
  return policy.credentials.get(url.origin) ?? []
}

function addMissing(fields: HeaderList, extra: HeaderList): HeaderList {
  if (fields.length === 0) return extra
  if (extra.length === 0) return fields
  const all = [...fields]
  for (const field of extra) if (!hasField(fields, field[0])) all.push(field)
  return all
}

/** A part of an encoded body cannot be decoded (Fetch standard, "HTTP-network-or-cache fetch"). */
function withIdentityEncoding(fields: HeaderList): HeaderList {
  return fields.map(([name, value]) => [name, name === 'accept-encoding' ? 'identity' : value])
}
