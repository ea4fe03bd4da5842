import { hasSemanticErrors, validateDocument, type AadpVersion } from '@doorplate/aadp-schemas'
import { parseJson } from './decode-json.js'
import {
  AadpChecksumMismatchError,
  AadpClientError,
  AadpSchemaValidationError,
  AadpSemanticValidationError,
  UnsupportedAadpVersionError,
} from '../errors.js'
import { parsedChecksum } from './parsed-checksum.js'
import type { DocumentKind, DocumentTypes, Wire } from './wire.js'

/** The document in a JSON text: of the version asked for, of the shape of its kind, and with the checksum it declares. */
export function readDocument<V extends AadpVersion, K extends DocumentKind>(
  wire: Wire<V>,
  kind: K,
  text: string,
  url: string,
): DocumentTypes[V][K] {
  const data = parseJson(text, url)
  requireVersion(data, wire.version, url)
  const { valid, issues } = validateDocument({ version: wire.version, kind, data })
  if (!valid) throw new AadpSchemaValidationError(url, kind, issues)
  if (kind === 'manifest') requireSemantics(wire, data, url)
  else requireChecksum(kind, data as Record<string, unknown>, url)
  return data as DocumentTypes[V][K]
}

function requireVersion(data: unknown, version: AadpVersion, url: string): asserts data is object {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new AadpClientError('not_aadp', `Not an AADP document, not even a JSON object: ${url}`, { url })
  }
  const declared: unknown = Object.hasOwn(data, 'aadp_version')
    ? (data as Record<string, unknown>)['aadp_version']
    : undefined
  if (typeof declared !== 'string') {
    throw new AadpClientError('not_aadp', `Not an AADP document, it declares no aadp_version: ${url}`, {
      url,
    })
  }
  if (declared !== version) throw new UnsupportedAadpVersionError(url, declared)
}

function requireSemantics(wire: Wire<AadpVersion>, manifest: unknown, url: string): void {
  const issues = wire.checkManifest(manifest)
  if (hasSemanticErrors(issues)) throw new AadpSemanticValidationError(url, issues)
}

/** The member that the checksum of a document covers. */
const CHECKED_MEMBER = { 'sitemap-index': 'sitemaps', sitemap: 'items', entity: 'data' } as const

function requireChecksum(
  kind: keyof typeof CHECKED_MEMBER,
  document: Record<string, unknown>,
  url: string,
): void {
  const declared = document['checksum'] as string
  const actual = checksum(document[CHECKED_MEMBER[kind]], url)
  if (actual !== declared) throw new AadpChecksumMismatchError(url, kind, declared, actual)
}

function checksum(value: unknown, url: string): string {
  try {
    return parsedChecksum(value)
  } catch (cause) {
    throw new AadpClientError('malformed_json', `Has no canonical form: ${url}`, { url, cause })
  }
}
