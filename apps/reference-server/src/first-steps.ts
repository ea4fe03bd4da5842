import type { LibraryDocument } from './library.js'
import { entityOf, MANIFEST, SITEMAP_INDEX } from './routes.js'

/** What the terminal shows once the server is ready. */
export function firstSteps(documents: readonly LibraryDocument[], origin: string): string {
  const example = documents.find(({ type }) => type === 'spec') ?? documents[0]
  const lines = [
    `Doorplate is serving ${documents.length} documents.`,
    '',
    `  Open    ${origin}/`,
    `  Find    curl ${origin}${MANIFEST}`,
    `  Read    curl ${origin}${SITEMAP_INDEX}`,
    ...(example === undefined ? [] : [`          curl ${origin}${entityOf(example)}`]),
    '',
    'Ten lines that read and verify all of it: README.md, "Read it all". Ctrl+C stops the server.',
  ]
  return lines.join('\n')
}
