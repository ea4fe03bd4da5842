import { discoverAllEntities, isAadpClientError } from '@doorplate/aadp-client'

const walk = discoverAllEntities('https://books.example', {
  types: ['book'],
  concurrency: 8,
  onError: 'skip',
})
try {
  for await (const entity of walk) console.log(entity.id, entity.updated_at)
  console.log(walk.summary.complete, walk.summary.issues)
} catch (error) {
  if (!isAadpClientError(error)) throw error
  console.error(`${error.code}: ${error.message}`)
}
