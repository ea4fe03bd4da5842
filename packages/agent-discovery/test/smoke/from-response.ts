import { fromResponse } from '@doorplate/agent-discovery/from-response'

export function smoke(): boolean {
  const headers = { 'content-type': 'text/html', link: '</openapi.json>; rel="service-desc"' }
  const page = '<!doctype html><link rel="describedby" href="llms.txt">'
  const { resources } = fromResponse('https://shop.test/', headers, page)
  return resources.length === 2 && resources.every(({ state }) => state === 'advertised')
}
