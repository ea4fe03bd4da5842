import { parse, type DefaultTreeAdapterMap } from 'parse5'
import { advertisedHrefs } from './advertised-hrefs.js'

type Node = DefaultTreeAdapterMap['node']
type Element = DefaultTreeAdapterMap['element']

const HTML = 'http://www.w3.org/1999/xhtml'

export interface Found {
  /** Targets of links for agents, and contents of metas for agents, as written and sorted. */
  readonly hrefs: readonly string[]
  readonly base: string | undefined
}

/** What a browser without script sees, found in the tree that the HTML standard prescribes. */
export function findWithParse5(html: string): Found {
  const hrefs: string[] = []
  let base: string | undefined
  for (const element of elements(parse(html, { scriptingEnabled: false }))) {
    const attributes = new Map(element.attrs.map(({ name, value }) => [name, value]))
    if (element.tagName === 'base') base ??= attributes.get('href')
    hrefs.push(...advertisedHrefs(element.tagName, attributes))
  }
  return { hrefs: hrefs.sort(), base }
}

/** Elements of the page itself: not those in SVG or MathML, nor in the separate content of a template. */
function* elements(node: Node): Generator<Element> {
  if ('tagName' in node) {
    if ((node.namespaceURI as string) !== HTML) return
    yield node
  }
  if ('childNodes' in node) for (const child of node.childNodes) yield* elements(child)
}
