import { validateDocument, type AadpVersion } from '@doorplate/aadp-schemas'
import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'
import { noResponse, type Finding } from '@doorplate/conformance-kit'
import type { Rule } from '../requirements.js'
import type { ExaminedKind } from './examination.js'
import type { DocumentReading } from './read-document.js'

/** What an examination goes by. */
export interface Standard {
  readonly version: AadpVersion
  readonly rule: Rule
  /** The time in milliseconds that nothing may be dated after. */
  readonly latestMs: number
  /** The same in UTC down to the second: no text of a later time sorts before it. */
  readonly latestText: string
  /** True when the site may be on plain http because it is on this machine. */
  readonly isPlainLoopback: boolean
}

/** The rule that a URL of a document gives that document. */
const ANSWERING: Readonly<Record<ExaminedKind, string>> = {
  manifest: 'HTTP-001',
  'sitemap-index': 'HTTP-007',
  sitemap: 'HTTP-008',
  entity: 'HTTP-009',
}

/** Whether there is a response with status 200 and a JSON body at all. */
export function examineResponse(
  reading: DocumentReading,
  kind: ExaminedKind,
  { rule }: Standard,
): readonly Finding[] {
  const { url, exchange, status, jsonFault } = reading
  const requirement = rule(ANSWERING[kind])
  if (!exchange.ok) return [{ requirement, url, ...noResponse(exchange.failure) }]
  if (status !== 200) return [{ requirement, url, message: `Status ${status ?? 0}, expected 200.` }]
  if (jsonFault !== undefined)
    return [{ requirement: rule('DOC-001'), url, message: `The body is not JSON: ${jsonFault}` }]
  return []
}

/** Whether there is a document at all, and whether its schema finds it to be one of its kind and version. */
export function examineUse(
  reading: DocumentReading,
  kind: ExaminedKind,
  standard: Standard,
): readonly Finding[] {
  const missing = examineResponse(reading, kind, standard)
  return missing.length > 0 ? missing : examineSchema(reading, kind, standard)
}

function examineSchema(
  { url, data }: DocumentReading,
  kind: ExaminedKind,
  { version }: Standard,
): readonly Finding[] {
  return validateDocument({ version, kind, data }).issues.map(({ rule, path, message }) => ({
    requirement: rule,
    url,
    pointer: path,
    message,
  }))
}

/** Whether the checksum that a document declares is that of its content. */
export function examineChecksum(
  url: string,
  declared: string,
  content: unknown,
  requirement: string,
): readonly Finding[] {
  const actual = checksumOrFault(content)
  if (actual === declared) return []
  return [
    {
      requirement,
      url,
      pointer: '/checksum',
      message: `The checksum is ${declared}; the content gives ${actual}.`,
    },
  ]
}

/** Text of a number or string may have no canonical form (1e400, a lone surrogate). */
function checksumOrFault(content: unknown): string {
  try {
    return checksumOf(content)
  } catch (error) {
    return `no canonical form (${error instanceof Error ? error.message : 'unknown reason'})`
  }
}
