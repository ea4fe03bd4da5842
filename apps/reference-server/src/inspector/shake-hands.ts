import { visit, type Site, type VisitOptions } from '@doorplate/ahp-converse/client'

/** What a visiting agent knows of a site before it asks anything. */
export interface Handshake {
  readonly manifestUrl: string
  readonly foundBy: Site['foundBy']
  readonly manifest: Site['manifest']
  readonly warnings: Site['warnings']
}

/** Finds the manifest and reads it; nothing is asked. Throws a `ConverseError` where there is none. */
export async function shakeHands(
  url: string,
  { fetch, signal }: Required<Pick<VisitOptions, 'fetch' | 'signal'>>,
): Promise<Handshake> {
  const { manifestUrl, foundBy, manifest, warnings } = await visit(url, {
    fetch,
    signal,
    timeoutMs: 8000,
    retry: { maxAttempts: 1 },
  })
  return { manifestUrl, foundBy, manifest, warnings }
}
