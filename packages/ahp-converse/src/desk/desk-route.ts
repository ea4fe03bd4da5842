export interface DeskRoute {
  /** Absent for the list. */
  readonly ticket?: string
  /** Absent for a page. */
  readonly step?: string
  /** Of the list: the step that was taken last. */
  readonly done?: string
}

const TICKET = /^\/tickets\/([0-9a-f]{32})(?:\/(claim|release|answer|decline))?$/

/** Where a URL or path leads under the path of the desk; undefined where that is nowhere. */
export function routeOf(target: string, path: string): DeskRoute | undefined {
  if (!URL.canParse(target, 'http://desk.invalid')) return undefined
  const { pathname, searchParams } = new URL(target, 'http://desk.invalid')
  if (pathname === path) {
    const done = searchParams.get('done')
    return done === null ? {} : { done }
  }
  if (!pathname.startsWith(`${path}/`)) return undefined
  const [, ticket, step] = TICKET.exec(pathname.slice(path.length)) ?? []
  if (ticket === undefined) return undefined
  return { ticket, ...(step === undefined ? {} : { step }) }
}
