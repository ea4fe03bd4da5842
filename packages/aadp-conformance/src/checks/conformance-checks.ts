import { SUPPORTED_VERSIONS, type AadpVersion } from '@doorplate/aadp-schemas'
import { UnsupportedConformanceVersionError } from '../errors.js'
import { ruleIn } from '../requirements.js'
import { cacheChecks } from './cache-checks.js'
import { documentChecks, protectionChecks } from './document-checks.js'
import { errorChecks } from './error-checks.js'
import { httpChecks } from './http-checks.js'
import { discoveryChecks } from './discovery-checks.js'
import { linkChecks } from './link-checks.js'
import { localeChecks } from './locale-checks.js'
import { guidanceChecks, manifestChecks, manifestV1Checks } from './manifest-checks.js'
import { paginationChecks } from './pagination-checks.js'
import type { SiteCheck } from './site-check.js'
import { resourceChecks, traversalChecks } from './traversal-checks.js'

/**
 * All checks for a protocol version, in the order in which they are run.
 *
 * @throws {UnsupportedConformanceVersionError} `unsupported_version`
 */
export function conformanceChecks(version: AadpVersion): readonly SiteCheck[] {
  if (!SUPPORTED_VERSIONS.includes(version)) throw new UnsupportedConformanceVersionError(version)
  const rule = ruleIn(version)
  const isV1 = version === '1.0'
  return [
    ...manifestChecks(rule),
    ...(isV1 ? manifestV1Checks(rule) : []),
    ...discoveryChecks(rule),
    ...traversalChecks(rule),
    ...(isV1 ? resourceChecks(rule) : []),
    ...paginationChecks(rule),
    ...documentChecks(rule),
    ...httpChecks(rule),
    ...(isV1 ? protectionChecks(rule) : []),
    ...cacheChecks(rule),
    ...errorChecks(rule),
    ...localeChecks(rule),
    ...(isV1 ? linkChecks(rule) : []),
    ...(isV1 ? guidanceChecks(rule) : []),
  ]
}
