import { openApiFace } from '@doorplate/ahp-converse/openapi'

export function smoke(): boolean {
  return openApiFace().path === '/openapi.json'
}
