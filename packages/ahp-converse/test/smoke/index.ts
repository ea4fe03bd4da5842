import { ConverseError, isConverseError } from '@doorplate/ahp-converse'

export function smoke(): boolean {
  return typeof ConverseError === 'function' && !isConverseError(new Error('another'))
}
