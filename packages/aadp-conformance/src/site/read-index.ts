import type { AadpVersion, ManifestV0_1, ManifestV1, SitemapIndexV1 } from '@doorplate/aadp-schemas'
import type { RequestLog } from '@doorplate/conformance-kit'
import { examineChecksum, examineUse, type Standard } from './examine-document.js'
import { examineTime, examineTransport, examineValidators } from './examine-headers.js'
import { examination, type Examination } from './examination.js'
import { readDocument, type DocumentReading } from './read-document.js'

export interface IndexReading {
  readonly reading: DocumentReading
  readonly examination: Examination
}

/** Reads the sitemap index that a manifest leads to. */
export async function readIndex(
  manifest: DocumentReading,
  log: RequestLog,
  standard: Standard,
): Promise<IndexReading> {
  const reading = await readDocument(log, { url: sitemapIndexUrl(manifest.data, standard.version) })
  const transport = examineTransport(reading, 'sitemap-index', standard)
  const unusable = examineUse(reading, 'sitemap-index', standard)
  if (unusable.length > 0) {
    return { reading, examination: examination('sitemap-index', transport, { document: unusable }) }
  }
  const index = reading.data as SitemapIndexV1
  const sides = {
    document: examineChecksum(reading.url, index.checksum, index.sitemaps, standard.rule('IDX-010')),
    validators: examineValidators(reading, { checksum: index.checksum, time: index.generated_at }, standard),
    times: examineTime(reading.url, '/generated_at', index.generated_at, standard),
  }
  return { reading, examination: examination('sitemap-index', transport, sides) }
}

/** The URL of the sitemap index as the manifest gives it. */
export function sitemapIndexUrl(manifest: unknown, version: AadpVersion): string {
  return version === '1.0'
    ? (manifest as ManifestV1).discovery.sitemap_index
    : (manifest as ManifestV0_1).sitemap_index
}
