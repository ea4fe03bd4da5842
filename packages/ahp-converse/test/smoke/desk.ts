import { createDesk } from '@doorplate/ahp-converse/desk'

export function smoke(): boolean {
  return typeof createDesk === 'function'
}
