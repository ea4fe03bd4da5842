import { EXPORT_LIST, exportSite } from '@doorplate/aadp-server/export'

export function smoke(): boolean {
  return EXPORT_LIST.endsWith('.json') && typeof exportSite === 'function'
}
