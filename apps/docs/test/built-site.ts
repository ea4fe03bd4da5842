import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'

const DIST = join(import.meta.dirname, '../.vitepress/dist')

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** A page as it was written, by its path on the site. */
export interface BuiltPage {
  readonly path: string
  readonly html: string
}

export function builtPages(): BuiltPage[] {
  return readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .map((file) => ({
      path: `/${file.split(sep).join('/')}`,
      html: readFileSync(join(DIST, file), 'utf8'),
    }))
}

/** What an address of the site leads to: a page of the given ones, or a file. */
export function fileAt(pathname: string): string | undefined {
  const file = join(DIST, decodeURIComponent(pathname))
  const found = existsSync(file) && statSync(file).isDirectory() ? join(file, 'index.html') : file
  return existsSync(found) && !relative(DIST, found).startsWith('..') ? found : undefined
}

/** Serves the site as any host of files does. */
export function serveFile(request: IncomingMessage, response: ServerResponse): void {
  const file = fileAt(new URL(request.url ?? '/', 'http://site.test').pathname)
  const served = file ?? join(DIST, '404.html')
  const contentType = MEDIA_TYPES[extname(served)] ?? 'application/octet-stream'
  response.writeHead(file === undefined ? 404 : 200, { 'content-type': contentType })
  createReadStream(served).pipe(response)
}

/** Values of an attribute, as far as they stand in elements of this name. */
export function attributes(html: string, element: string, attribute: string): string[] {
  const tags = html.match(new RegExp(`<${element}\\b[^>]*>`, 'g')) ?? []
  return tags.flatMap((tag) => {
    const [, value] = new RegExp(` ${attribute}="([^"]*)"`).exec(tag) ?? []
    return value === undefined ? [] : [value.replaceAll('&amp;', '&')]
  })
}

/** Bytes that a first visit to a page takes, compressed by gzip as hosts do: the page, its scripts and styles. */
export function weightOf({ html }: BuiltPage): number {
  const loaded = new Set([...attributes(html, 'link', 'href'), ...attributes(html, 'script', 'src')])
  const files = [...loaded].map((path) => readFileSync(fileAt(path) ?? ''))
  return [html, ...files].reduce((sum, content) => sum + gzipSync(content).byteLength, 0)
}
