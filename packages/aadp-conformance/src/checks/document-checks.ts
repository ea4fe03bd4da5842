import type { Finding } from '@doorplate/conformance-kit'
import { counted, judged, skipped, type Outcome } from '@doorplate/conformance-kit'
import type { Rule } from '../requirements.js'
import type { ExaminedKind } from '../site/examination.js'
import { repeatedMembers } from '../site/repeated-members.js'
import { readDocument, type DocumentReading } from '../site/read-document.js'
import type { Site } from '../site/site.js'
import { exampleDocuments, exampleReadings } from './example-documents.js'
import { judgeAspect, type SiteCheck } from './site-check.js'

const ALL: readonly ExaminedKind[] = ['manifest', 'sitemap-index', 'sitemap', 'entity']
const BELOW_MANIFEST: readonly ExaminedKind[] = ['sitemap-index', 'sitemap', 'entity']

/** What holds of every document, whatever it says. */
export function documentChecks(rule: Rule): readonly SiteCheck[] {
  return [
    {
      id: 'documents.encoding',
      title: 'Every document is UTF-8 without a byte order mark',
      requirements: [rule('DOC-001')],
      needs: ['traversal.sitemap_index'],
      hint: 'Write files as UTF-8 without BOM, and do not convert them on the way.',
      run: (site) => judgeAspect(site, 'encoding', ALL),
    },
    {
      id: 'documents.unique_members',
      title: 'No object has two members of the same name',
      requirements: [rule('DOC-009')],
      needs: ['traversal.sitemap_index'],
      hint: 'Serialise from a map; readers differ in which of two members they take.',
      run: judgeMembers,
    },
    {
      id: 'documents.times',
      title: 'Times are written with T and Z and lie not in the future',
      requirements: [rule('DOC-008'), rule('CACHE-017')],
      needs: ['traversal.sitemap_index'],
      hint: 'Write times as 2026-03-01T08:00:00Z, and check the clock of the server.',
      run: (site) => judgeAspect(site, 'times', BELOW_MANIFEST),
    },
    {
      id: 'documents.deterministic',
      title: 'Equal content gives equal bytes',
      requirements: [rule('CACHE-016'), rule('SUM-010')],
      needs: ['traversal.sitemap'],
      hint: 'Derive generated_at from the content, such as the latest change, and not from the time of the request.',
      run: judgeDeterminism,
    },
    {
      id: 'http.content_type',
      title: 'Documents are served as application/json',
      requirements: [rule('HTTP-003')],
      needs: ['traversal.sitemap_index'],
      hint: 'Send Content-Type: application/json.',
      run: (site) => judgeAspect(site, 'media_type', BELOW_MANIFEST),
    },
    {
      id: 'http.https',
      title: 'Documents are served over https',
      requirements: [rule('HTTP-023')],
      needs: ['traversal.sitemap_index'],
      hint: 'Serve https and write https URLs into the documents.',
      run: (site) =>
        site.standard.isPlainLoopback
          ? skipped('The site is on this machine, where plain http is fine.')
          : judgeAspect(site, 'scheme', ALL),
    },
    {
      id: 'http.redirects',
      title: 'The URLs of documents give them without a redirect',
      requirements: [rule('HTTP-006')],
      needs: ['traversal.sitemap_index'],
      hint: 'Write the final URLs into the documents.',
      run: (site) => judgeAspect(site, 'redirect', ALL),
    },
    {
      id: 'http.cache_control',
      title: 'Documents say how long they may be kept',
      requirements: [rule('CACHE-013')],
      needs: ['traversal.sitemap_index'],
      hint: 'Send Cache-Control with every 200, such as public, max-age=300.',
      run: (site) => judgeAspect(site, 'cache_control', ALL),
    },
  ]
}

/** What only a manifest of 1.0 can ask of documents. */
export function protectionChecks(rule: Rule): readonly SiteCheck[] {
  return [
    {
      id: 'http.protected',
      title: 'Documents of protected types are kept out of shared caches',
      requirements: [rule('CACHE-010')],
      needs: ['traversal.sitemap'],
      hint: 'Send Cache-Control: private or no-store with documents whose type has a security scheme.',
      run: async (site) => {
        const { walks } = await site.sitemaps()
        if (walks.every((walk) => !walk.isProtected)) return skipped('No type is protected.')
        return judgeAspect(site, 'protection', BELOW_MANIFEST)
      },
    },
  ]
}

async function judgeMembers(site: Site): Promise<Outcome> {
  const readings = [await site.manifest(), ...(await exampleReadings(site))]
  return judged(
    readings.flatMap(({ url, text, data }) =>
      repeatedMembers(text, data).map((pointer) => ({
        requirement: site.rule('DOC-009'),
        url,
        pointer,
        message: 'The member is there twice.',
      })),
    ),
    counted(readings.length, 'document'),
  )
}

async function judgeDeterminism(site: Site): Promise<Outcome> {
  const documents = await exampleDocuments(site)
  const findings = await Promise.all(documents.map(({ reading }) => readAgain(site, reading)))
  return judged(findings.flat(), counted(documents.length, 'document'))
}

async function readAgain({ log, rule }: Site, first: DocumentReading): Promise<readonly Finding[]> {
  const { url } = first
  const second = await readDocument(log, { url })
  if (second.status !== 200 || Buffer.compare(first.bytes, second.bytes) === 0) return []
  if (checksumIn(first) === checksumIn(second)) {
    return [
      {
        requirement: rule('CACHE-016'),
        url,
        message: 'Two requests gave the same checksum but other bytes.',
      },
    ]
  }
  const message = 'Two requests gave two contents. That is fine only if the content has changed in between.'
  return [{ requirement: rule('SUM-010'), url, message, advisory: true }]
}

function checksumIn({ data }: DocumentReading): unknown {
  return (data as { checksum?: unknown } | null | undefined)?.checksum
}
