import {
  checkManifestSemantics,
  SUPPORTED_VERSIONS,
  validateDocument,
  type AadpVersion,
} from '@doorplate/aadp-schemas'
import { stringMember, type JsonObject } from '../json/json-value.js'
import { cleanText } from '../text/untrusted-text.js'
import { invalid, judged, type Identification } from './identification.js'

const MAX_REASONS = 5

/** An AADP manifest, judged by the AADP contract package. */
export function recognizeAadp(data: JsonObject): Identification | undefined {
  const version = stringMember(data, 'aadp_version')
  if (version === undefined) return undefined
  const finding = { signature: ['aadp_version is a string'], version: cleanText(version, 20) }
  const supported = SUPPORTED_VERSIONS.find((candidate) => candidate === version)
  if (!supported) return invalid('aadp-manifest', ['unsupported-version'], finding)
  return judged('aadp-manifest', faults(supported, data), finding)
}

function faults(version: AadpVersion, data: JsonObject): readonly string[] {
  const { issues } = validateDocument({ version, kind: 'manifest', data })
  const semantic =
    version === '1.0' ? checkManifestSemantics(data).filter(({ level }) => level === 'error') : []
  return [...issues, ...semantic]
    .slice(0, MAX_REASONS)
    .map(({ rule, path }) => `${rule} at ${cleanText(path, 100) || '/'}`)
}
