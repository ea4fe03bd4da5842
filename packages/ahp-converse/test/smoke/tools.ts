import { toTools } from '@doorplate/ahp-converse/tools'

export function smoke(): boolean {
  return typeof toTools === 'function'
}
