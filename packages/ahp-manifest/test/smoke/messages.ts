import { parseRequest, validateResponse } from '@doorplate/ahp-manifest/messages'

export function smoke(): boolean {
  const { query } = parseRequest({ capability: 'search', query: 'Dune' })
  return query === 'Dune' && !validateResponse({ status: 'unheard of' }).valid
}
