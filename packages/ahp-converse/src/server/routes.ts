import { MANIFEST_PATH } from '@doorplate/ahp-manifest'

export type Endpoint = 'manifest' | 'content' | 'converse' | 'status'

export interface Paths {
  readonly converse: string
  /** Undefined where something else serves the content. */
  readonly content: string | undefined
}

/** Path of a request target, escapes untouched: `/a?b` and `https://host/a` have the path `/a`. */
export function pathOf(target: string): string {
  const local = localTarget(target)
  const end = local.search(/[?#]/)
  return end < 0 ? local : local.slice(0, end)
}

/** A request target without scheme and host. */
export function localTarget(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
}

export type Routes = (path: string) => Endpoint | undefined

/** The endpoint at a path. A job is one segment below `<converse>/status/`. */
export function createRoutes({ converse, content }: Paths): Routes {
  const statusPrefix = `${converse}/status/`
  const fixed = new Map<string, Endpoint>([
    [MANIFEST_PATH, 'manifest'],
    [converse, 'converse'],
    ...(content === undefined ? [] : [[content, 'content'] as const]),
  ])
  return (path) =>
    fixed.get(path) ??
    (path.startsWith(statusPrefix) && /^[^/]+$/.test(path.slice(statusPrefix.length)) ? 'status' : undefined)
}
