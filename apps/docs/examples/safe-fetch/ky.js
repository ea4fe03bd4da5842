import { createSafeFetch } from '@doorplate/safe-fetch'
import ky from 'ky'

const fetch = createSafeFetch({ timeoutMs: 10_000, maxResponseBytes: 1_000_000 })
const client = ky.create({ fetch })

const url = process.argv[2] ?? 'https://example.com/'
const page = await client.get(url).text()
console.log(page.length)
