import { canonicalize, checksumOf } from '@doorplate/aadp-schemas/canonical-json'

export function smoke(): boolean {
  const value = { b: 1, a: [true] }
  return canonicalize(value) === '{"a":[true],"b":1}' && /^sha256:[0-9a-f]{64}$/.test(checksumOf(value))
}
