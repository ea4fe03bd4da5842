import { createSafeFetch } from '@doorplate/safe-fetch'
import ky from 'ky'

const fetch = createSafeFetch({ timeoutMs: 10_000, maxResponseBytes: 1_000_000 })
const client = ky.create({ fetch })
