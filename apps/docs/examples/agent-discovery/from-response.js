import { fromResponse } from '@doorplate/agent-discovery/from-response'

const { resources } = fromResponse(
  'https://shop.example/',
  { 'content-type': 'text/html', link: '</openapi.json>; rel="service-desc"' },
  '<!doctype html><link rel="describedby" href="llms.txt"><meta name="agent-card" content="/card.json">',
)
for (const { kind, url, state } of resources) console.log(kind, url, state)
