import type { Block } from './block.js'

/** A section of a document: what is looked up, quoted and pointed to. */
export interface Passage {
  /** Stable while document and heading keep their names: the document's id, `#` and the anchor or a number. */
  readonly id: string
  readonly documentId: string
  /** Of the document; empty when it has none. */
  readonly title: string
  /** From the outermost heading below the title to the section's own; empty in front of the first one. */
  readonly headings: readonly string[]
  /** Of the section itself, with its anchor. */
  readonly url?: string
  /** BCP 47. */
  readonly language: string
  readonly blocks: readonly Block[]
  /** Headings of the sections around this one in its document: what one could ask next. */
  readonly neighbours: readonly string[]
}

/** What the section is called by itself: its heading, else the title of the document. */
export function nameOf({ title, headings }: Passage): string {
  return headings.at(-1) ?? title
}

/** Title and headings, outermost first. */
export function pathOf({ title, headings }: Passage): readonly string[] {
  return title === '' ? headings : [title, ...headings]
}

/** All text below the headings. */
export function textOf({ blocks }: Passage): string {
  return blocks.map(textOfBlock).join('\n')
}

export function textOfBlock(block: Block): string {
  return block.kind === 'list' ? block.items.join('\n') : block.text
}
