// pages.js
import { loadDocuments } from '@doorplate/ahp-converse/node'
import { agentNotice, linkHeader } from '@doorplate/ahp-manifest'

/** What the concierge knows and people read: `docs/refunds.md` is at `/refunds`. */
export const documents = []
for await (const document of loadDocuments(process.argv[2] ?? './docs')) documents.push(document)

/**
 * The site as it was: a home page, and the documents. Each response leads agents to the manifest.
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
export function pages(request, response) {
  response.setHeader('link', linkHeader())
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const document = documents.find(({ url }) => url === pathname)
  if (pathname === '/') {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>The Book Shelf</title><h1>The Book Shelf</h1>${agentNotice()}`)
  } else if (document) {
    response.setHeader('content-type', 'text/plain; charset=utf-8')
    response.end(document.content)
  } else response.writeHead(404).end('Not here')
}
