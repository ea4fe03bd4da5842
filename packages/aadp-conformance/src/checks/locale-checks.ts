import type { EntityV1, ManifestV0_1, ManifestV1 } from '@doorplate/aadp-schemas'
import { judged, skipped, type Finding, type Outcome } from '@doorplate/conformance-kit'
import type { Rule } from '../requirements.js'
import { readDocument, type DocumentReading } from '../site/read-document.js'
import type { EntityExample } from '../site/entity-example.js'
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

/** Not every type need be there in every language, so entities of several types are asked for. */
async function judgeLocales(site: Site): Promise<Outcome> {
  const languages = await publishedLanguages(site)
  const { examples } = await site.entities()
  const [example] = examples
  if (languages.length < 2) return skipped(tooFewLanguages(site, languages))
  if (example === undefined) return skipped('There is no entity to ask for in several languages.')
  const asked = languages.slice(0, MAX_LANGUAGES)
  const readings = await Promise.all(examples.map((one) => readInEach(site, one, asked)))
  const fallback = await readIn(site, example.reading.url, UNPUBLISHED_LANGUAGE)
  return judged([
    ...readings.flatMap((ofOne, position) => judgeIdentity(site, ofOne, examples[position])),
    ...judgeHonoured(site, readings, asked),
    ...judgeFallback(site, fallback),
  ])
}

async function publishedLanguages(site: Site): Promise<readonly string[]> {
  const { data } = await site.manifest()
  if (site.version === '0.1') return (data as ManifestV0_1).available_locales
  return (data as ManifestV1).usage_guidance?.available_languages ?? []
}

function tooFewLanguages({ version }: Site, languages: readonly string[]): string {
  const member = version === '0.1' ? 'available_locales' : 'usage_guidance.available_languages'
  const named = languages.length === 0 ? 'no language' : `only ${languages.join(', ')}`
  return `The manifest names ${named} in ${member}, so there is nothing to choose from.`
}

function readIn({ log }: Site, entityUrl: string, language: string): Promise<DocumentReading> {
  const url = new URL(entityUrl)
  url.searchParams.set('locale', language)
  return readDocument(log, { url: url.href })
}

function readInEach(
  site: Site,
  { reading }: EntityExample,
  languages: readonly string[],
): Promise<readonly DocumentReading[]> {
  return Promise.all(languages.map((language) => readIn(site, reading.url, language)))
}

function judgeIdentity(
  { rule }: Site,
  readings: readonly DocumentReading[],
  example: EntityExample | undefined,
): readonly Finding[] {
  return readings.flatMap(({ url, status, data }) => {
    const actual = entityIn(data)?.id
    if (status !== 200 || actual === undefined || actual === example?.entity.id) return []
    const message = `In this language the id is ${actual}, otherwise ${example?.entity.id ?? 'none'}.`
    return [{ requirement: rule('LOC-003'), url, pointer: '/id', message }]
  })
}

/** An entity need not exist in every language, but if the parameter works it shows for two languages of one of them. */
function judgeHonoured(
  { rule }: Site,
  readings: readonly (readonly DocumentReading[])[],
  asked: readonly string[],
): readonly Finding[] {
  const given = readings.map((ofOne) => ofOne.map(({ data }) => entityIn(data)?.locale))
  const isHonoured = given.some((ofOne) => {
    const right = ofOne.filter((locale, index) => answers(locale, asked[index]))
    return new Set(right.map((locale) => String(locale).toLowerCase())).size >= 2
  })
  if (isHonoured) return []
  const locales = (given[0] ?? []).map((locale) => locale ?? 'no language').join(', ')
  const message = `Asked for ${asked.join(', ')} the entity says it is in ${locales}.`
  return [{ requirement: rule('LOC-001'), url: readings[0]?.[0]?.url ?? '', message }]
}

/** Letter case is of no meaning in a language tag, and a wish may be met by a tag that says less (RFC 4647, 3.4). */
function answers(locale: unknown, asked = ''): boolean {
  const [given, wish] = [String(locale).toLowerCase(), asked.toLowerCase()]
  return given === wish || wish.startsWith(`${given}-`)
}

function entityIn(data: unknown): Partial<EntityV1> | null | undefined {
  return data as Partial<EntityV1> | null | undefined
}

function judgeFallback({ rule }: Site, { url, status }: DocumentReading): readonly Finding[] {
  if (status === 200) return []
  const message = `A language that is not published is answered with status ${status ?? 'none'}, expected the default language.`
  return [{ requirement: rule('LOC-005'), url, message }]
}
