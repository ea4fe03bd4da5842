import { inconclusive, judged, skipped, type Outcome } from '@doorplate/conformance-kit'
import { isObject, ownList, ownMember, ownText } from '../own-member.js'
import { rule } from '../requirements.js'
import { described } from '../site/reading.js'
import type { Site } from '../site/site.js'
import { about, answered, successFindings, type SiteCheck } from './site-check.js'

/** Questions and answers. */
export const converseChecks: readonly SiteCheck[] = [
  {
    id: 'converse.declared',
    title: 'Questions can be posted to the converse endpoint',
    requirements: ['R-034', 'R-035'].map(rule),
    needs: ['manifest.identity'],
    hint: 'Declare MODE2, and take POST where endpoints.converse leads, /agent/converse by default.',
    run: async (site) => {
      const { isInteractive, converseUrl } = await site.declared()
      if (!isInteractive) return skipped('The site declares MODE1 alone.')
      const reading = await site.post('{}')
      const isThere = reading.status !== undefined && ![404, 405, 501].includes(reading.status)
      return judged(isThere ? [] : [about(reading, 'R-035', `POST ${converseUrl}: ${described(reading)}`)])
    },
  },
  {
    id: 'converse.answer',
    title: 'A question alone is answered',
    requirements: ['R-035', 'R-036', 'R-074'].map(rule),
    needs: ['converse.declared'],
    hint: 'Answer POST to the converse endpoint with status 200 and success. Name a question with --question.',
    run: judgeAnswer,
  },
  {
    id: 'converse.meta',
    title: 'meta says how the answer was made, and repeats the content signals',
    requirements: ['R-070', 'RES-036', 'RES-037'].map(rule),
    needs: ['converse.answer'],
    hint: 'Send meta with capability_used, the declared mode and content_signals.',
    run: judgeMeta,
  },
  {
    id: 'converse.progress',
    title: 'A success with a session has progress null',
    requirements: [rule('RES-015')],
    needs: ['converse.answer'],
    hint: 'Send "progress": null, without which the published schema takes the answer for pending work.',
    run: async (site) => {
      const { reading } = await answered(site)
      const isAmbiguous =
        typeof ownMember(reading.json, 'session_id') === 'string' &&
        ownMember(reading.json, 'progress') === undefined
      return judged(
        isAmbiguous
          ? [about(reading, 'RES-015', 'progress is absent, expected null.', { pointer: '/progress' })]
          : [],
      )
    },
  },
  {
    id: 'converse.context',
    title: 'Optional members may be null or empty',
    requirements: ['R-048', 'READ-011'].map(rule),
    needs: ['converse.answer'],
    hint: 'Read a null context, empty accept_types and null members as absent.',
    run: async (site) => {
      const { probe, withCredential } = await answered(site)
      const body = JSON.stringify({
        capability: probe.capability,
        query: probe.query ?? 'What can I find here?',
        session_id: null,
        clarification: null,
        context: null,
      })
      const nothing = await site.post(body, { withCredential })
      const empty = await site.ask(probe, { withCredential, body: { context: { accept_types: [] } } })
      return judged([
        ...successFindings(nothing, 'READ-011', 'Null members'),
        ...successFindings(empty, 'READ-011', 'Empty accept_types'),
      ])
    },
  },
  {
    id: 'converse.later_version',
    title: 'Members and versions of later drafts are read as 0.1',
    requirements: ['R-112', 'READ-009', 'READ-016'].map(rule),
    needs: ['converse.answer'],
    hint: 'Ignore members that you do not know, and any value of ahp.',
    run: async (site) => {
      const { probe, withCredential } = await answered(site)
      const body = { x_doorplate: 1, context: { x_doorplate: [1] } }
      const members = await site.ask(probe, { withCredential, body })
      const version = await site.ask(probe, { withCredential, body: { ahp: '0.99' } })
      return judged([
        ...successFindings(members, 'READ-009', 'Unknown members'),
        ...successFindings(version, 'READ-016', 'Version 0.99'),
      ])
    },
  },
  {
    id: 'converse.sources',
    title: 'Sources lead somewhere',
    requirements: [rule('RES-009')],
    needs: ['converse.answer'],
    hint: 'Give URLs that resolve: a path on the origin of the site, or an absolute URL.',
    run: judgeSources,
  },
  {
    id: 'converse.max_tokens',
    title: 'max_tokens is honoured',
    requirements: [rule('R-104')],
    needs: ['converse.answer'],
    hint: 'Cut or shorten answers to context.max_tokens.',
    run: async (site) => {
      const { probe, withCredential } = await answered(site)
      const reading = await site.ask(probe, { withCredential, body: { context: { max_tokens: MAX_TOKENS } } })
      const refused = successFindings(reading, 'R-104', `max_tokens ${MAX_TOKENS}`)
      const length = (ownText(reading.json, 'response', 'answer') ?? '').length
      if (refused.length > 0 || length <= MAX_TOKENS * LONGEST_TOKEN) return judged(refused)
      return judged([
        about(reading, 'R-104', `An answer of ${length} characters to max_tokens ${MAX_TOKENS}.`),
      ])
    },
  },
]

const MAX_TOKENS = 8
/** No tokenizer makes tokens that are longer on average. */
const LONGEST_TOKEN = 16

const CLOSED = 'Questions need a credential. Give --token.'

async function judgeAnswer(site: Site): Promise<Outcome> {
  const found = await site.answer()
  if (found === undefined) {
    const { capabilities } = await site.declared()
    if (capabilities.some(({ mode }) => mode === 'MODE2')) return inconclusive(CLOSED)
    return skipped('The manifest has no capability of MODE2. Name another with --question.')
  }
  const { reading, probe } = found
  if (reading.status === 401 && (await site.credential()) === undefined) return inconclusive(CLOSED)
  const isOurs = site.settings.probes.question === undefined
  if (isOurs && ownText(reading.json, 'status') === 'clarification_needed')
    return inconclusive('A vague question is asked back. Name one that is answered with --question.')
  return judged(successFindings(reading, 'R-036', `A question to ${probe.capability}`))
}

async function judgeMeta(site: Site): Promise<Outcome> {
  const { reading, probe } = await answered(site)
  const { manifest, capabilities } = await site.declared()
  const meta = ownMember(reading.json, 'meta')
  const mode = capabilities.find(({ name }) => name === probe.capability)?.mode
  const signals = ownMember(meta, 'content_signals')
  const finding = (number: string, name: string, expected: string): readonly ReturnType<typeof about>[] => {
    const value = ownMember(meta, name)
    const seen = value === undefined ? 'absent' : JSON.stringify(value)
    return [
      about(reading, number, `meta.${name} is ${seen}, expected ${expected}.`, {
        pointer: `/meta/${name}`,
        advisory: true,
      }),
    ]
  }
  const used = ownMember(meta, 'capability_used')
  const isEchoed =
    isObject(signals) &&
    Object.entries(manifest.content_signals).every(([name, value]) => ownMember(signals, name) === value)
  return judged([
    ...(used === probe.capability ? [] : finding('RES-036', 'capability_used', probe.capability)),
    ...(mode === undefined || ownMember(meta, 'mode') === mode ? [] : finding('RES-037', 'mode', mode)),
    ...(isEchoed ? [] : finding('R-070', 'content_signals', 'the signals of the manifest')),
  ])
}

const MAX_SOURCES = 5

async function judgeSources(site: Site): Promise<Outcome> {
  const { reading } = await answered(site)
  const urls = ownList(reading.json, 'response', 'sources')
    .map((source) => ownText(source, 'url') ?? '')
    .filter((url) => url !== '')
  if (urls.length === 0) return skipped('The answer has no sources.')
  const findings: ReturnType<typeof about>[] = []
  for (const url of urls.slice(0, MAX_SOURCES)) {
    const target = URL.canParse(url, site.origin) ? new URL(url, site.origin) : undefined
    if (target === undefined || !/^https?:$/.test(target.protocol)) {
      findings.push(about(reading, 'RES-009', `The source ${url} is no http or https URL.`))
      continue
    }
    const found = await site.send('page', { url: target.href, headers: { accept: '*/*' } })
    const isGone = found.status === undefined || found.status === 404 || found.status === 410
    // What another site does is not the fault of this one.
    const advisory = target.origin !== site.origin
    if (isGone)
      findings.push(
        about(found, 'RES-009', found.failure ?? `A source has status ${String(found.status)}.`, {
          advisory,
        }),
      )
  }
  return judged(findings)
}
