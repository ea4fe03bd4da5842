import { toNodeListener } from '@doorplate/aadp-server/node'

export function smoke(): boolean {
  return typeof toNodeListener === 'function'
}
