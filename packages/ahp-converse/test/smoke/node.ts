import { toNodeListener } from '@doorplate/ahp-converse/node'

export function smoke(): boolean {
  return typeof toNodeListener === 'function'
}
