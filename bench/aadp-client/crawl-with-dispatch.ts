import { hash } from 'node:crypto'
import type { Pool } from 'undici'

interface Item {
  readonly id: string
  readonly url: string
  readonly checksum: string
}

interface Page {
  readonly items: readonly Item[]
  readonly cursor: { readonly next: string | null }
}

interface Entity {
  readonly id: string
  readonly checksum: string
  readonly data: unknown
}

/**
 * The limit: the same GETs with undici's `dispatch`, parsed, hashed and compared, and nothing else. The hash is of the text that
 * JSON.stringify gives, which happens to be the canonical form of this site's entities; for its lists there is nothing to compare.
 */
export async function crawlWithDispatch(pool: Pool, concurrency: number): Promise<number> {
  const waiting: Item[] = []
  let count = 0
  let cursor: string | null | undefined
  const nextPage = async (): Promise<void> => {
    const page = (await get(
      pool,
      `/products.json${cursor === undefined ? '' : `?cursor=${String(cursor)}`}`,
    )) as Page
    checksumOf(page.items)
    waiting.push(...page.items)
    cursor = page.cursor.next
  }
  await get(pool, '/.well-known/ai-manifest.json')
  const index = (await get(pool, '/index.json')) as { readonly sitemaps: unknown }
  checksumOf(index.sitemaps)
  await nextPage()
  const work = async (): Promise<void> => {
    for (;;) {
      const item = waiting.shift()
      if (!item) return
      const entity = (await get(pool, new URL(item.url).pathname)) as Entity
      const checksum = checksumOf(entity.data)
      if (entity.id !== item.id || entity.checksum !== item.checksum || checksum !== item.checksum) {
        throw new Error(`Bad entity ${item.id}.`)
      }
      count++
    }
  }
  for (;;) {
    await Promise.all(Array.from({ length: concurrency }, work))
    if (cursor === null) return count
    await nextPage()
  }
}

/** As the client sends them. */
const HEADERS = {
  accept: 'application/json',
  'user-agent': 'doorplate-aadp-client (+https://github.com/doorplate/doorplate)',
  'accept-encoding': 'gzip, deflate, br',
}

function checksumOf(content: unknown): string {
  return `sha256:${hash('sha256', JSON.stringify(content))}`
}

function get(pool: Pool, path: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    pool.dispatch(
      { method: 'GET', path, headers: HEADERS },
      {
        onRequestStart() {
          // Required by undici; there is nothing to do.
        },
        onResponseStart(_controller, statusCode) {
          if (statusCode !== 200) reject(new Error(`Status ${String(statusCode)}.`))
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk)
        },
        onResponseEnd() {
          resolve(JSON.parse((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? ''))
        },
        onResponseError(_controller, error) {
          reject(error)
        },
      },
    )
  })
}
