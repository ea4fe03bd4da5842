import type { Capability } from '@doorplate/ahp-manifest'
import { budgetExceeded, once, type ProbeRequest, type RequestLog } from '@doorplate/conformance-kit'
import type { RunSettings } from '../options.js'
import { ownMember } from '../own-member.js'
import type { Probe } from '../probes.js'
import { RUNNER } from '../package-version.js'
import { wrongCopyOf } from '../wrong-credential.js'
import { declaredAllowance } from './allowance.js'
import type { CallbackSink } from './callback-sink.js'
import { needsCredential, onlyAnswers, readDeclared, type Declared } from './declared.js'
import { observe, type Observation } from './observe.js'
import { Pacer } from './pacer.js'
import { toReading, type Endpoint, type Reading } from './reading.js'

/** How a question is put, besides its probe. */
export interface AskOptions {
  /** Members of the request besides those that every request has; `context` is merged. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Send the credential of the run, or a wrong copy of it. Default false. */
  readonly withCredential?: boolean | 'wrong'
  readonly headers?: Readonly<Record<string, string>>
  /** Default: the converse endpoint. */
  readonly url?: string
}

/** A question that is answered, and what it takes. */
export interface Answered {
  readonly probe: Probe
  readonly withCredential: boolean
  readonly reading: Reading
}

/**
 * The site under test. What many checks look at is read when one first asks for it, and once; every response is also
 * observed from all sides, for the checks that judge all of them.
 */
export interface Site {
  readonly origin: string
  readonly settings: RunSettings
  readonly log: RequestLog
  readonly sink: CallbackSink | undefined
  readonly observations: readonly Observation[]
  /** Sends one request, paced by the limits of the site. */
  send(
    endpoint: Endpoint,
    request: ProbeRequest,
    options?: { readonly isUnpaced?: boolean },
  ): Promise<Reading>
  /** Posts a body to the converse endpoint as it is. */
  post(body: string, options?: AskOptions & { readonly isUnpaced?: boolean }): Promise<Reading>
  ask(probe: Probe, options?: AskOptions): Promise<Reading>
  /** Header fields that carry the credential of the run, or a wrong copy of it. None for another origin. */
  credentialHeaders(
    url: string,
    options?: { readonly isWrong?: boolean },
  ): Promise<Readonly<Record<string, string>>>
  /** The credential of the run, where questions go to the origin that it is for. */
  readonly credential: () => Promise<string | undefined>
  readonly manifest: () => Promise<Reading>
  /** The pages that must hold the notice. */
  readonly pages: () => Promise<readonly Reading[]>
  /** Only after it has been seen that the manifest is one. */
  readonly declared: () => Promise<Declared>
  /** The question of this run, and its answer: the first that is a success, else the first of all. */
  readonly answer: () => Promise<Answered | undefined>
  /** The question that needs the credential, if there is one. */
  readonly member: () => Promise<Probe | undefined>
  capability(name: string): Promise<Capability | undefined>
}

const DEFAULT_QUERY = 'What can I find here?'
/** Said to whatever must refuse us, should it not. */
export const HARMLESS_QUERY = 'This is a conformance check. Please do nothing.'
const MAX_CANDIDATES = 3
const MAX_ATTEMPTS = 4

/** The site at an origin, still unread. */
export function createSite(settings: RunSettings, log: RequestLog, sink: CallbackSink | undefined): Site {
  const { origin, now, sleep, maxWaitMs, onWait, probes } = settings
  const pacer = new Pacer({ now, sleep, signal: log.signal, maxWaitMs, onWait })
  const observations: Observation[] = []
  const { credential: given } = settings
  const secrets = given === undefined ? [] : [given, wrongCopyOf(given)]

  const send: Site['send'] = async (endpoint, request, { isUnpaced = false } = {}) => {
    const place = `${request.method ?? 'GET'} ${endpoint}`
    for (let attempt = 1; ; attempt++) {
      if (!isUnpaced) await pacer.untilOpen(place)
      const reading = toReading(endpoint, await log.send(request))
      const observation = observe(reading, { origin, secrets, now })
      if (observation !== undefined) observations.push(observation)
      const isRefused = pacer.note(place, reading)
      if (isUnpaced || !isRefused) return reading
      if (attempt >= MAX_ATTEMPTS)
        throw budgetExceeded('rateLimit', `The site refused ${attempt} requests in a row with status 429.`)
    }
  }

  const manifest = once(() =>
    send('manifest', { url: `${origin}/.well-known/agent.json`, headers: { accept: 'application/json' } }),
  )
  const pages = once(() =>
    Promise.all(settings.pages.map((url) => send('page', { url, headers: { accept: 'text/html' } }))),
  )
  const declared = once(async () => {
    const read = readDeclared(await manifest())
    pacer.keepTo(declaredAllowance(read.manifest, { withCredential: false }))
    return read
  })

  const credential = once(async () => {
    const { converseUrl } = await declared()
    return new URL(converseUrl).origin === origin ? settings.credential : undefined
  })

  const credentialHeaders: Site['credentialHeaders'] = async (url, { isWrong = false } = {}) => {
    const { credential } = settings
    if (credential === undefined || new URL(url).origin !== origin) return {}
    const { authentication } = await declared()
    const secret = isWrong ? wrongCopyOf(credential) : credential
    return authentication === 'api_key' ? { 'x-ahp-key': secret } : { authorization: `Bearer ${secret}` }
  }

  const post: Site['post'] = async (
    body,
    { url, withCredential = false, headers = {}, isUnpaced = false } = {},
  ) => {
    const target = url ?? (await declared()).converseUrl
    const endpoint = url === undefined ? 'converse' : 'capability'
    return send(
      endpoint,
      {
        url: target,
        method: 'POST',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          ...(withCredential === false
            ? {}
            : await credentialHeaders(target, { isWrong: withCredential === 'wrong' })),
          ...headers,
        },
        body,
      },
      { isUnpaced },
    )
  }

  const capability: Site['capability'] = async (name) =>
    (await declared()).capabilities.find((candidate) => candidate.name === name)

  const ask: Site['ask'] = async (probe, options = {}) =>
    post(JSON.stringify(requestBody(probe, await capability(probe.capability), options.body)), options)

  const answer = once(async () => {
    const given = probes.question
    const candidates = given
      ? [given]
      : questionsTo((await declared()).capabilities, (await credential()) !== undefined)
    let first: Answered | undefined
    for (const probe of candidates) {
      let withCredential = false
      let reading = await ask(probe)
      if (reading.status === 401 && (await credential()) !== undefined) {
        withCredential = true
        reading = await ask(probe, { withCredential })
      }
      const answered = { probe, withCredential, reading }
      if (ownMember(reading.json, 'status') === 'success') return answered
      first ??= answered
    }
    return first
  })

  const member = once(async (): Promise<Probe | undefined> => {
    if (probes.member) return probes.member
    const found = (await declared()).capabilities.find(
      (candidate) => candidate.auth_required === true && onlyAnswers(candidate),
    )
    if (found) return { capability: found.name }
    const answered = await answer()
    return answered?.withCredential === true ? answered.probe : undefined
  })

  return {
    origin,
    settings,
    log,
    sink,
    observations,
    send,
    post,
    ask,
    credentialHeaders,
    credential,
    manifest,
    pages,
    declared,
    answer,
    member,
    capability,
  }
}

/** Open capabilities that can be asked, those that answer in words first; where none is open, closed ones if we may. */
function questionsTo(capabilities: readonly Capability[], hasCredential: boolean): readonly Probe[] {
  const inMode2 = capabilities.filter((candidate) => candidate.mode === 'MODE2' && onlyAnswers(candidate))
  const inWords = ({ response_types: types = ['text/answer'] }: Capability): boolean =>
    types.includes('text/answer')
  const open = inMode2.filter((candidate) => !needsCredential(candidate))
  const asked = open.length > 0 || !hasCredential ? open : inMode2
  return [...asked.filter(inWords), ...asked.filter((candidate) => !inWords(candidate))]
    .slice(0, MAX_CANDIDATES)
    .map(({ name }) => ({ capability: name }))
}

/** What a probe says in the member `query`. */
export async function queryOf(site: Site, probe: Probe): Promise<string> {
  return wordsOf(probe, await site.capability(probe.capability))
}

function wordsOf({ query, input }: Probe, declared: Capability | undefined): string {
  if (input !== undefined) return JSON.stringify(input)
  return query ?? (declared?.mode === 'MODE3' ? HARMLESS_QUERY : DEFAULT_QUERY)
}

/** The wire request of a probe. */
function requestBody(
  probe: Probe,
  declared: Capability | undefined,
  members: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const isActing = declared?.mode === 'MODE3'
  const context = {
    requesting_agent: `${RUNNER.name}/${RUNNER.version}`,
    ...(isActing && { user_intent: 'To check that this site conforms to AHP' }),
    ...(members['context'] as object | undefined),
  }
  return {
    ahp: '0.1',
    capability: probe.capability,
    query: wordsOf(probe, declared),
    ...members,
    context,
  }
}
