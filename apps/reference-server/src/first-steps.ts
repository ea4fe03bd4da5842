import type { LibraryDocument } from './library.js'
import { entityOf, MANIFEST, SITEMAP_INDEX } from './routes.js'

export interface ServerAddresses {
  /** What every published URL starts with. */
  readonly origin: string
  /** Where the server listens, as an origin. */
  readonly address: string
}

/** What the terminal shows once the server is ready. */
export function firstSteps(
  documents: readonly LibraryDocument[],
  { origin, address }: ServerAddresses,
): string {
  const example = documents.find(({ type }) => type === 'spec') ?? documents[0]
  const lines = [
    `Doorplate is serving ${documents.length} documents.`,
    '',
    ...(address === origin ? [] : [`  Listen  ${address}/, published as`]),
    `  Open    ${origin}/`,
    `  Find    curl ${origin}${MANIFEST}`,
    `  Read    curl ${origin}${SITEMAP_INDEX}`,
    ...(example === undefined ? [] : [`          curl ${origin}${entityOf(example)}`]),
    '',
    'Ten lines that read and verify all of it: README.md, "Read it all". Ctrl+C stops the server.',
  ]
  return lines.join('\n')
}
