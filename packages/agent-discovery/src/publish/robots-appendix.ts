import type { BodyChange } from '@doorplate/ahp-manifest/page'

/** More of a robots.txt is not searched (RFC 9309, 2.5). */
const MAX_LENGTH = 512_000

/** Adds lines to a robots.txt that has them not yet. A group that is there twice counts as one (RFC 9309, 2.2.1). */
export function robotsAppendix(lines: string): BodyChange {
  const decoder = new TextDecoder()
  let text = ''
  return {
    write: (chunk) => {
      if (text.length < MAX_LENGTH) text += decoder.decode(chunk, { stream: true })
      return [chunk]
    },
    end: () => {
      const isThere = text.replace(/\r\n?/g, '\n').includes(lines.trim())
      return isThere ? [] : [new TextEncoder().encode(`\n\n${lines}`)]
    },
  }
}
