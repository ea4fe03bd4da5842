import { discoverAllEntities } from '@doorplate/aadp-client'

const walk = discoverAllEntities('https://books.example', {
  types: ['book'],
  concurrency: 8,
  onError: 'skip',
})
for await (const entity of walk) console.log(entity.id, entity.updated_at)
console.log(walk.summary.complete, walk.summary.issues)
