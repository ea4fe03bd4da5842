import type { EntityV1, ManifestV0_1, ManifestV1 } from '@doorplate/aadp-schemas'
import { judged, skipped, type Finding, type Outcome } from '@doorplate/conformance-kit'
import type { Rule } from '../requirements.js'
import { readDocument, type DocumentReading } from '../site/read-document.js'
import type { Site } from '../site/site.js'
import type { SiteCheck } from './site-check.js'

/** Entities in several languages. */
export function localeChecks(rule: Rule): readonly SiteCheck[] {
  return [
    {
      id: 'locale.selection',
      title: 'Entities come in the language that is asked for, under the same id',
      requirements: [rule('LOC-001'), rule('LOC-002'), rule('LOC-003'), rule('LOC-005')],
      needs: ['traversal.sitemap'],
      hint: 'Honour ?locale=, say the language in locale, keep the id, and fall back to the default language.',
      run: judgeLocales,
    },
  ]
}

/** Languages that are tried. */
const MAX_LANGUAGES = 3

/** A language that is registered for nobody's content (ISO 639-2, private use). */
const UNPUBLISHED_LANGUAGE = 'qtz'

async function judgeLocales(site: Site): Promise<Outcome> {
  const languages = await publishedLanguages(site)
  const [example] = (await site.entities()).examples
  if (languages.length < 2 || example === undefined)
    return skipped('The site does not publish in several languages.')
  const tried = languages.slice(0, MAX_LANGUAGES)
  const readings = await Promise.all(tried.map((language) => readIn(site, example.reading.url, language)))
  const fallback = await readIn(site, example.reading.url, UNPUBLISHED_LANGUAGE)
  const id = example.entity.id
  return judged([
    ...readings.flatMap((reading) => judgeIdentity(site, reading, id)),
    ...judgeHonoured(site, readings, tried),
    ...judgeFallback(site, fallback),
  ])
}

async function publishedLanguages(site: Site): Promise<readonly string[]> {
  const { data } = await site.manifest()
  if (site.version === '0.1') return (data as ManifestV0_1).available_locales
  return (data as ManifestV1).usage_guidance?.available_languages ?? []
}

function readIn({ log }: Site, entityUrl: string, language: string): Promise<DocumentReading> {
  const url = new URL(entityUrl)
  url.searchParams.set('locale', language)
  return readDocument(log, { url: url.href })
}

function judgeIdentity(
  { rule }: Site,
  { url, status, data }: DocumentReading,
  expected: string,
): readonly Finding[] {
  const actual = (data as Partial<EntityV1> | null | undefined)?.id
  if (status !== 200 || actual === undefined || actual === expected) return []
  const message = `In this language the id is ${actual}, otherwise ${expected}.`
  return [{ requirement: rule('LOC-003'), url, pointer: '/id', message }]
}

/** One entity need not exist in every language, but if the parameter works it shows for at least two. */
function judgeHonoured(
  { rule }: Site,
  readings: readonly DocumentReading[],
  asked: readonly string[],
): readonly Finding[] {
  const given = readings.map(({ data }) => (data as Partial<EntityV1> | null | undefined)?.locale)
  if (given.filter((locale, index) => locale === asked[index]).length >= 2) return []
  const message = `Asked for ${asked.join(', ')} the entity says it is in ${given.map((locale) => locale ?? 'no language').join(', ')}.`
  return [{ requirement: rule('LOC-001'), url: readings[0]?.url ?? '', message }]
}

function judgeFallback({ rule }: Site, { url, status }: DocumentReading): readonly Finding[] {
  if (status === 200) return []
  const message = `A language that is not published is answered with status ${status ?? 'none'}, expected the default language.`
  return [{ requirement: rule('LOC-005'), url, message }]
}
