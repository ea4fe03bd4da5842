import { createServer } from 'node:http'
import { createSafeFetch, isSafeFetchError } from '@doorplate/safe-fetch'

const fetch = createSafeFetch({ timeoutMs: 5_000, maxResponseBytes: 500_000, maxRedirects: 3 })

/**
 * The title of a page that a stranger names.
 * @param {string} url
 */
async function titleOf(url) {
  const response = await fetch(url, { headers: { accept: 'text/html' } })
  return /<title>([^<]*)/i.exec(await response.text())?.[1] ?? ''
}

createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost').searchParams.get('url') ?? ''
  try {
    response.end(await titleOf(url))
  } catch (error) {
    if (!isSafeFetchError(error)) throw error
    response.writeHead(error.code === 'blocked' ? 403 : 502).end(error.code)
  }
}).listen(process.env.PORT ?? 3000, () => console.log('ready'))
