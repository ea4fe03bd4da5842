import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'
import { judged, skipped, type Outcome } from '@doorplate/conformance-kit'
import type { Rule } from '../requirements.js'
import { examineResponse } from '../site/examine-document.js'
import { readDocument, type DocumentReading } from '../site/read-document.js'
import type { Site } from '../site/site.js'
import type { SiteCheck } from './site-check.js'

/** How a reader comes to the manifest. */
export function discoveryChecks(rule: Rule): readonly SiteCheck[] {
  return [
    {
      id: 'discovery.manifest_usable',
      title: 'The manifest can be read again and is the same',
      requirements: [rule('HTTP-002')],
      needs: ['manifest.discovery_entry_point'],
      hint: 'Serve one manifest to everybody: no variants by time, by server or by who asks.',
      run: judgeSecondRead,
    },
    {
      id: 'discovery.signals',
      title: 'Link fields and the API catalogue give the URL at which the manifest is served',
      requirements: [rule('HTTP-025')],
      needs: ['manifest.http'],
      hint: 'Point them to /.well-known/ai-manifest.json of this origin.',
      run: judgeSignals,
    },
  ]
}

async function judgeSecondRead(site: Site): Promise<Outcome> {
  const first = await site.manifest()
  const second = await readDocument(site.log, { url: site.manifestUrl })
  const findings = examineResponse(second, 'manifest', site.standard)
  if (findings.length > 0 || isSame(first, second)) return judged(findings)
  return judged([
    { requirement: site.rule('HTTP-002'), url: second.url, message: 'Two requests gave two manifests.' },
  ])
}

/** White space and the order of members do not count; a value without canonical form is compared by its bytes. */
function isSame(left: DocumentReading, right: DocumentReading): boolean {
  try {
    return checksumOf(left.data) === checksumOf(right.data)
  } catch {
    return Buffer.compare(left.bytes, right.bytes) === 0
  }
}

async function judgeSignals(site: Site): Promise<Outcome> {
  const home = await site.log.send({ url: `${site.origin}/`, headers: { accept: '*/*' } })
  const catalog = await site.log.send({
    url: `${site.origin}/.well-known/api-catalog`,
    headers: { accept: 'application/linkset+json, application/json;q=0.5' },
  })
  const signals = [
    ...(home.ok ? targetsOfLinkField(home.response.headers['link']) : []),
    ...(catalog.ok && catalog.response.status === 200 ? targetsOfLinkset(catalog.response.body) : []),
  ]
  const targets = signals
    .flatMap((target) => resolved(target, site.origin))
    .filter((url) => isManifestUrl(url))
  if (targets.length === 0) return skipped('No Link field and no API catalogue points to the manifest.')
  const wrong = targets.filter((url) => url !== site.manifestUrl)
  return judged(
    wrong.map((url) => ({
      requirement: site.rule('HTTP-025'),
      url,
      message: `A signal points to ${url}; the manifest is served at ${site.manifestUrl}.`,
    })),
  )
}

/** Targets of a Link field (RFC 8288); their relations do not matter here. */
function targetsOfLinkField(field: string | undefined): readonly string[] {
  return [...(field ?? '').matchAll(/<([^>]*)>/g)].map(([, target = '']) => target)
}

/** Every href and anchor of a linkset document (RFC 9264). */
function targetsOfLinkset(body: Uint8Array): readonly string[] {
  const text = Buffer.from(body).toString('utf8')
  return [...text.matchAll(/"(?:href|anchor)"\s*:\s*"([^"\\]*)"/g)].map(([, target = '']) => target)
}

function resolved(target: string, origin: string): readonly string[] {
  return URL.canParse(target, origin) ? [new URL(target, origin).href] : []
}

function isManifestUrl(url: string): boolean {
  return /\/ai-manifest(\.json)?$/.test(new URL(url).pathname)
}
