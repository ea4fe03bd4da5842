import { createSafeFetch } from '@doorplate/safe-fetch'

const { request } = createSafeFetch()
const { status, headers, body, url, redirected } = await request('https://example.com/')
console.log(status, headers['content-type'], body.byteLength)
