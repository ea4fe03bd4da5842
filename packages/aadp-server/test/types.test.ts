import { expectTypeOf, test } from 'vitest'
import {
  type AadpConfig,
  type AadpServer,
  createCollection,
  defineAADP,
  defineResource,
  type Resource,
  type SerializedEntity,
} from '../src/index.js'
import { BASE } from './shop.js'

interface Post {
  readonly slug: string
  readonly title: string
  readonly updatedAt: Date
}

const posts = createCollection<Post>([], { name: (post) => post.slug })

test('the record of a resource is known from its list', () => {
  const resource = defineResource({
    type: 'post',
    list: posts.list,
    get: posts.get,
    serialize: (post) => {
      expectTypeOf(post).toEqualTypeOf<Post>()
      return { id: `post:${post.slug}`, updatedAt: post.updatedAt, data: post }
    },
  })
  expectTypeOf(resource).toEqualTypeOf<Resource<Post>>()
})

test('resources of different records go into one declaration', () => {
  const other = defineResource<number>({
    type: 'number',
    list: () => ({ items: [1], nextCursor: null }),
    get: () => 1,
    serialize: (record) => ({ id: 'number:one', updatedAt: new Date(0), data: { record } }),
  })
  const post = defineResource<Post>({ type: 'post', list: posts.list, get: posts.get, serialize: entityOf })
  expectTypeOf(defineAADP({ ...BASE, resources: [other, post] })).toEqualTypeOf<AadpServer>()
})

test('what is not an entity in shape is refused by the compiler', () => {
  expectTypeOf<{ id: string; updatedAt: number; data: object }>().not.toExtend<SerializedEntity>()
  expectTypeOf<{ id: string; updatedAt: Date; data: string }>().not.toExtend<SerializedEntity>()
  expectTypeOf<'0.1'>().not.toExtend<NonNullable<AadpConfig['version']>>()
})

function entityOf({ slug, updatedAt, title }: Post): SerializedEntity {
  return { id: `post:${slug}`, updatedAt, data: { title }, extensions: { x_note: 1 } }
}
