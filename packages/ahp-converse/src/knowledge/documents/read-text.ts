import { tidy, type Outline } from './block.js'

/** Plain text: paragraphs between empty lines. */
export function readText(content: string): Outline {
  const paragraphs = content.split(/\r?\n[^\S\r\n]*\r?\n/).map(tidy)
  return { parts: paragraphs.filter((text) => text !== '').map((text) => ({ kind: 'prose', text })) }
}
