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

createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost').searchParams.get('url') ?? ''
  titleOf(url).then(
    (title) => response.end(title),
    (error) => {
      const code = isSafeFetchError(error) ? error.code : 'failed'
      response.writeHead(code === 'blocked' ? 403 : 502).end(code)
    },
  )
}).listen(process.env.PORT ?? 3000, () => console.log('ready'))
