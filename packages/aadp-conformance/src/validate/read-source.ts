import { readFile } from 'node:fs/promises'
import { isSafeFetchError, type SafeFetch } from '@doorplate/safe-fetch'
import { glob, isDynamicPattern } from 'tinyglobby'

/** Standard input, once. */
export type ReadStdin = () => Promise<Uint8Array>

/** What is at a source, or why it cannot be read. */
export type SourceContent = { readonly bytes: Uint8Array } | { readonly fault: string }

export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source)
}

/** A source as it may be shown: a URL without the password that somebody may have put into it. */
export function shownSource(source: string): string {
  return isUrl(source) ? source.replace(/\/\/[^/?#]*@/, '//') : source
}

/** Replaces patterns by the files they match, in order. A pattern without a match stays and will not be found. */
export async function expandSources(sources: readonly string[]): Promise<readonly string[]> {
  const expanded = await Promise.all(sources.map((source) => expand(source)))
  return expanded.flat()
}

/** Reads a file, a URL or, for `-`, the standard input. */
export async function readSource(
  source: string,
  fetch: SafeFetch,
  readStdin: ReadStdin,
): Promise<SourceContent> {
  try {
    if (source === '-') return { bytes: await readStdin() }
    return isUrl(source) ? await readUrl(source, fetch) : { bytes: await readFile(source) }
  } catch (error) {
    if (isSafeFetchError(error)) return { fault: `${error.message} (${error.code})${adviceOn(error.code)}` }
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    const isPattern = code === 'ENOENT' && isDynamicPattern(source)
    return { fault: isPattern ? 'No file matches.' : `The file cannot be read (${code}).` }
  }
}

function adviceOn(code: string): string {
  return code === 'blocked'
    ? ' --allow-private-network lets the hosts of the given URLs be private ones.'
    : ''
}

async function expand(source: string): Promise<readonly string[]> {
  if (source === '-' || isUrl(source) || !isDynamicPattern(source)) return [source]
  // A backslash parts folders on Windows; in a pattern it would escape.
  const pattern = process.platform === 'win32' ? source.replaceAll('\\', '/') : source
  const files = await glob(pattern, { absolute: false, expandDirectories: false })
  return files.length > 0 ? files.sort() : [source]
}

async function readUrl(url: string, fetch: SafeFetch): Promise<SourceContent> {
  const { status, body } = await fetch.request(url, { headers: { accept: 'application/json' } })
  const isError = status >= 400 && body.byteLength === 0
  return isError ? { fault: `The URL gave status ${status} and no body.` } : { bytes: body }
}
