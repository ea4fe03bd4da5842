import { Parser } from 'htmlparser2'

const MANIFEST_RELATIONS: ReadonlySet<string> = new Set(['ahp-manifest', 'agent-manifest'])

/** What lies between link-values, the start of one, and one parameter of it, with or without a value (RFC 8288, section 3). */
const SEPARATORS = /[\s,]*/y
const TARGET = /<([^>]*)>/y
const PARAMETER = /\s*;\s*([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/y

/** The targets of a Link field that lead to a manifest, as they are written. What is malformed is passed over. */
export function manifestLinksInField(field: string): string[] {
  const targets: string[] = []
  const end = field.lastIndexOf('>')
  let at = 0
  while (at <= end) {
    matchAt(SEPARATORS, field, at)
    at = SEPARATORS.lastIndex
    const start = matchAt(TARGET, field, at)
    if (start === null) {
      at = afterComma(field, at)
      continue
    }
    at = TARGET.lastIndex
    let relations: string | undefined
    for (let found = matchAt(PARAMETER, field, at); found; found = matchAt(PARAMETER, field, at)) {
      at = PARAMETER.lastIndex
      const [, name = '', quoted, bare = ''] = found
      if (name.toLowerCase() === 'rel') relations ??= quoted?.replace(/\\(.)/g, '$1') ?? bare
    }
    if (leadsToManifest(relations)) targets.push(start[1] ?? '')
  }
  return targets
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function afterComma(field: string, at: number): number {
  const comma = field.indexOf(',', at)
  return comma < 0 ? field.length : comma + 1
}

function leadsToManifest(relations: string | undefined): boolean {
  return (relations ?? '').split(/\s+/).some((relation) => MANIFEST_RELATIONS.has(relation.toLowerCase()))
}

export interface ManifestLinksInPage {
  /** Of `link` elements. */
  readonly links: readonly string[]
  /** From notices for agents. */
  readonly notices: readonly string[]
}

/** The references in a page that lead to a manifest, as they are written; they resolve against `base`. */
export function manifestLinksInPage(
  html: string,
): ManifestLinksInPage & { readonly base: string | undefined } {
  const links: string[] = []
  const notices: string[] = []
  let base: string | undefined
  /** How many elements are open since a notice began; undefined outside of one. */
  let depth: number | undefined
  let text = ''
  const parser = new Parser({
    onopentag(name, attributes) {
      const { href } = attributes
      if (name === 'base') base ??= href
      if (name === 'link' && href !== undefined && leadsToManifest(attributes['rel'])) links.push(href)
      if (depth !== undefined) depth++
      else if (isNotice(attributes)) depth = 1
      if (depth !== undefined && name === 'a' && href !== undefined) notices.push(href)
    },
    ontext(piece) {
      if (depth !== undefined && text.length < MAX_NOTICE_LENGTH) text += piece.slice(0, MAX_NOTICE_LENGTH)
    },
    onclosetag() {
      if (depth === undefined || --depth > 0) return
      depth = undefined
      notices.push(...pathsIn(text))
      text = ''
    },
  })
  parser.end(html)
  return { links, notices, base }
}

const MAX_NOTICE_LENGTH = 4_096

function isNotice(attributes: Readonly<Record<string, string>>): boolean {
  const classes = attributes['class']?.split(/\s+/) ?? []
  return (
    classes.includes('ahp-notice') || attributes['aria-label']?.trim().toLowerCase() === 'ai agent notice'
  )
}

/** The draft's notice names the manifest in its text: `GET /.well-known/agent.json`. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/(?:https?:\/\/[^\s"'<>]{1,500}|\/[^\s"'<>]{0,500})\.json\b/g)].map(
    ([path]) => path,
  )
}
