import { isExtensionKey, validateDocument } from '@doorplate/aadp-schemas'

export function smoke(): boolean {
  const { valid, issues } = validateDocument({ version: '1.0', kind: 'manifest', data: {} })
  return isExtensionKey('x_shop') && !valid && issues.length > 0
}
