import { splitSentences } from '../text/split-sentences.js'
import { textOfBlock, type Passage } from './passage.js'
import type { Block, Heading } from './block.js'

export interface SplitDocument {
  readonly id: string
  readonly title: string
  readonly url?: string
  readonly language: string
  readonly parts: readonly (Block | Heading)[]
}

/** A section longer than this becomes several passages; so does a block, between its sentences or items, unless it is code. */
const MAX_PASSAGE_CHARACTERS = 6000
const MAX_NEIGHBOURS = 4
/** In code points, of which each takes up to two characters. */
const PIECES = /.{1,3000}/gsu

interface Section {
  readonly headings: readonly Heading[]
  readonly blocks: Block[]
}

/** One passage for each section that has text, with the headings it stands under. */
export function splitPassages(document: SplitDocument): Passage[] {
  const sections = sectionsOf(document).filter(({ blocks }) => blocks.length > 0)
  const names = sections.map(({ headings }) => headings.at(-1)?.text)
  const idOf = createIds(document.id)
  return sections.flatMap((section, index) => {
    const anchor = section.headings.at(-1)?.anchor
    const neighbours = namesAround(names, index)
    return piecesOf(section.blocks, document.language).map((blocks): Passage => ({
      id: idOf(anchor),
      documentId: document.id,
      title: document.title,
      headings: section.headings.map(({ text }) => text),
      ...(document.url !== undefined && { url: urlOfSection(document.url, anchor) }),
      language: document.language,
      blocks,
      neighbours,
    }))
  })
}

/** The heading that gave the document its title is not repeated below it. */
function sectionsOf({ title, parts }: SplitDocument): Section[] {
  let open: Section = { headings: [], blocks: [] }
  const sections = [open]
  for (const part of parts) {
    if (part.kind === 'heading') {
      const above = open.headings.filter(({ level }) => level < part.level)
      const isTitle = above.length === 0 && part.text === title
      open = { headings: isTitle || part.text === '' ? above : [...above, part], blocks: [] }
      sections.push(open)
    } else {
      open.blocks.push(part)
    }
  }
  return sections
}

function piecesOf(blocks: readonly Block[], language: string): Block[][] {
  return grouped(
    blocks.flatMap((block) => partsOf(block, language)),
    (block) => textOfBlock(block).length,
  )
}

function partsOf(block: Block, language: string): Block[] {
  if (block.kind === 'code' || textOfBlock(block).length <= MAX_PASSAGE_CHARACTERS) return [block]
  const texts = block.kind === 'prose' ? splitSentences(block.text, language) : block.items
  const groups = grouped(texts.flatMap(cut), (text) => text.length)
  if (block.kind === 'prose') return groups.map((group) => ({ kind: 'prose', text: group.join(' ') }))
  // Numbers would begin anew in every part.
  return groups.map((items) => ({ kind: 'list', items, ordered: false }))
}

/** What fits into a passage together, in its order. */
function grouped<Part>(parts: readonly Part[], lengthOf: (part: Part) => number): Part[][] {
  const groups: Part[][] = []
  let size = Infinity
  for (const part of parts) {
    const length = lengthOf(part)
    if (size + length > MAX_PASSAGE_CHARACTERS) {
      groups.push([])
      size = 0
    }
    groups.at(-1)?.push(part)
    size += length
  }
  return groups
}

/** A sentence or an item that no passage can hold, in pieces. */
function cut(text: string): readonly string[] {
  return text.length <= MAX_PASSAGE_CHARACTERS ? [text] : (text.match(PIECES) ?? [])
}

/** The next ones first, as one reads on; then those before. */
function namesAround(names: readonly (string | undefined)[], index: number): string[] {
  const before = names.slice(Math.max(0, index - MAX_NEIGHBOURS), index)
  const around = [...names.slice(index + 1, index + 1 + MAX_NEIGHBOURS), ...before.reverse()]
  const others = around.filter((name): name is string => name !== undefined && name !== names[index])
  return [...new Set(others)].slice(0, MAX_NEIGHBOURS)
}

/** Ids by anchor, each given once: later ones of the same anchor have a number. */
function createIds(documentId: string): (anchor: string | undefined) => string {
  const taken = new Set<string>()
  const numbers = new Map<string, number>()
  return (anchor) => {
    const base = anchor === undefined ? documentId : `${documentId}#${anchor}`
    let id = base
    for (let number = numbers.get(base) ?? 2; taken.has(id); number++) {
      id = `${base}${anchor === undefined ? '#' : '~'}${number}`
      numbers.set(base, number + 1)
    }
    taken.add(id)
    return id
  }
}

function urlOfSection(url: string, anchor: string | undefined): string {
  return anchor === undefined || url.includes('#')
    ? url
    : `${url}#${encodeURIComponent(anchor.replace(/\p{Cs}/gu, '\ufffd'))}`
}
