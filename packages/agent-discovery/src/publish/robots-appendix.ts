import type { BodyChange } from '@doorplate/ahp-manifest/page'

/** Adds lines to a robots.txt. A group that is there twice counts as one (RFC 9309, 2.2.1). */
export function robotsAppendix(lines: string): BodyChange {
  return { write: (chunk) => [chunk], end: () => [new TextEncoder().encode(`\n\n${lines}`)] }
}
