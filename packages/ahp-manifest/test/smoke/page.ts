import { isPlainBody, weakenKnownTag } from '@doorplate/ahp-manifest/page'

export function smoke(): boolean {
  return typeof isPlainBody === 'function' && typeof weakenKnownTag === 'function'
}
