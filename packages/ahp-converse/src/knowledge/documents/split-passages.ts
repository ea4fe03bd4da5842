import { textOfBlock, type Passage } from './passage.js'
import type { Block, Heading } from './block.js'

export interface SplitDocument {
  readonly id: string
  readonly title: string
  readonly url?: string
  readonly language: string
  readonly parts: readonly (Block | Heading)[]
}

/** A section longer than this becomes several passages; no block is torn apart. */
const MAX_PASSAGE_CHARACTERS = 6000
const MAX_NEIGHBOURS = 4

interface Section {
  readonly headings: readonly Heading[]
  readonly blocks: Block[]
}

/** One passage for each section that has text, with the headings it stands under. */
export function splitPassages(document: SplitDocument): Passage[] {
  const sections = sectionsOf(document).filter(({ blocks }) => blocks.length > 0)
  const names = sections.map(({ headings }) => headings.at(-1)?.text)
  const taken = new Set<string>()
  return sections.flatMap((section, index) => {
    const anchor = section.headings.at(-1)?.anchor
    const neighbours = namesAround(names, index)
    return piecesOf(section.blocks).map((blocks): Passage => ({
      id: unusedId(document.id, anchor, taken),
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

function piecesOf(blocks: readonly Block[]): Block[][] {
  const pieces: Block[][] = []
  let size = Infinity
  for (const block of blocks) {
    const length = textOfBlock(block).length
    if (size + length > MAX_PASSAGE_CHARACTERS) {
      pieces.push([])
      size = 0
    }
    pieces.at(-1)?.push(block)
    size += length
  }
  return pieces
}

/** The next ones first, as one reads on; then those before. */
function namesAround(names: readonly (string | undefined)[], index: number): string[] {
  const around = [...names.slice(index + 1, index + 1 + MAX_NEIGHBOURS), ...names.slice(0, index).reverse()]
  const others = around.filter((name): name is string => name !== undefined && name !== names[index])
  return [...new Set(others)].slice(0, MAX_NEIGHBOURS)
}

function unusedId(documentId: string, anchor: string | undefined, taken: Set<string>): string {
  const base = anchor === undefined ? documentId : `${documentId}#${anchor}`
  let id = base
  for (let number = 2; taken.has(id); number++) id = `${base}${anchor === undefined ? '#' : '~'}${number}`
  taken.add(id)
  return id
}

function urlOfSection(url: string, anchor: string | undefined): string {
  return anchor === undefined || url.includes('#') ? url : `${url}#${encodeURIComponent(anchor)}`
}
