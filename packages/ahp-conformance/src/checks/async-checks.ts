import { inconclusive, judged, skipped, type Finding, type Outcome } from '@doorplate/conformance-kit'
import { ownMember, ownText } from '../own-member.js'
import type { Probe } from '../probes.js'
import { rule } from '../requirements.js'
import { described, type Reading } from '../site/reading.js'
import type { Site } from '../site/site.js'
import { about, refusalFindings, skippedWithoutCredential, type SiteCheck } from './site-check.js'

/** Answers that come late. Work is started only where a job is named. */
export const asyncChecks: readonly SiteCheck[] = [
  {
    id: 'async.unknown_job',
    title: 'The state of a job that does not exist is not told',
    requirements: ['ASYN-003', 'R-083'].map(rule),
    needs: ['converse.declared'],
    hint: 'Answer the status address of an unknown job with 404 and an error in JSON.',
    run: async (site) => {
      const { statusUrl, answersLater } = await site.declared()
      if (!answersLater) return skipped('The manifest declares nothing that is answered later.')
      const reading = await poll(site, statusUrl('doorplate-conformance-absent'), false)
      if (reading.status === 404 || reading.status === 401) return judged([])
      return judged([
        about(reading, 'ASYN-003', `A job that does not exist: ${described(reading)} Expected status 404.`),
      ])
    },
  },
  {
    id: 'async.accepted',
    title: 'Work is accepted with a session, a time to wait and an address to poll',
    requirements: ['R-042', 'R-077', 'R-078', 'ASYN-001'].map(rule),
    needs: ['converse.declared'],
    hint: 'Answer accepted with session_id, eta_seconds and poll, and give every job an id of its own.',
    run: judgeAccepted,
  },
  {
    id: 'async.completed',
    title: 'The status address tells of the work until it is done',
    requirements: ['R-079', 'R-081', 'R-082'].map(rule),
    needs: ['async.accepted'],
    hint: 'Answer the poll with pending, then with success as converse gives it, meta included.',
    run: judgeCompleted,
  },
  {
    id: 'async.owner',
    title: 'The state of a job is told to its owner alone',
    requirements: ['ASYN-003', 'R-027'].map(rule),
    needs: ['async.accepted'],
    hint: 'Bind a job to the caller who started it; to any other it does not exist.',
    run: async (site) => {
      const { job } = site.settings.probes
      const withCredential = (await site.credential()) !== undefined
      if (job === undefined || !withCredential) return skippedWithoutCredential(site, 'It takes two callers.')
      const url = pollUrl(site, await start(site, job))
      const reading = await poll(site, url ?? '', false)
      if (reading.status === 404 || reading.status === 401) return judged([])
      return judged([
        about(
          reading,
          reading.status === 200 ? 'R-027' : 'ASYN-003',
          `A stranger asks for a job: ${described(reading)} Expected status 404.`,
        ),
      ])
    },
  },
  {
    id: 'async.callback_refused',
    title: 'A callback URL that leads into the network of the site is refused at once',
    requirements: [rule('R-117')],
    needs: ['async.accepted'],
    hint: 'Take https alone, resolve the name, and refuse private and local addresses with 400 invalid_request.',
    run: judgeCallbackRefused,
  },
  {
    id: 'async.callback',
    title: 'The answer is posted to the callback URL',
    requirements: [rule('R-080')],
    needs: ['async.completed'],
    hint: 'Post what the poll answers to context.callback_url.',
    run: judgeCallback,
  },
]

const PRIVATE_URLS = [
  'http://127.0.0.1:9/doorplate-conformance',
  'https://127.0.0.1:9/doorplate-conformance',
  'https://localhost:9/doorplate-conformance',
  'https://[::1]:9/doorplate-conformance',
  'https://[::ffff:127.0.0.1]:9/doorplate-conformance',
  'https://10.255.255.1:9/doorplate-conformance',
  'https://169.254.255.254:9/doorplate-conformance',
]

/** Between two polls, unless the site says longer. */
const POLL_EVERY_MS = 500
const NO_JOB = 'No job is named. Name one with --job; it IS started.'

async function start(site: Site, job: Probe, body: Readonly<Record<string, unknown>> = {}): Promise<Reading> {
  return site.ask(job, { withCredential: (await site.credential()) !== undefined, body })
}

/** The address to poll, where it is one of the site. */
function pollUrl(site: Site, { json, url: base }: Reading): string | undefined {
  const reference = ownText(json, 'poll') ?? ''
  const url = URL.canParse(reference, base) ? new URL(reference, base) : undefined
  const isOwn = url !== undefined && [new URL(base).origin, site.origin].includes(url.origin)
  return reference !== '' && isOwn ? url.href : undefined
}

async function poll(site: Site, url: string, withCredential: boolean): Promise<Reading> {
  const own = withCredential ? await site.credentialHeaders(url) : {}
  return site.send('status', { url, headers: { accept: 'application/json', ...own } })
}

/** The draft names no status, and HTTP has one of its own for this (RFC 9110, section 15.3.3). */
const ACCEPTED: ReadonlySet<number | undefined> = new Set([200, 202])

async function judgeAccepted(site: Site): Promise<Outcome> {
  const { job } = site.settings.probes
  if (job === undefined) return skipped(NO_JOB)
  const first = await start(site, job)
  if (first.status === 401 && (await site.credential()) === undefined)
    return skippedWithoutCredential(site, 'The job needs a credential.')
  if (!ACCEPTED.has(first.status) || ownMember(first.json, 'status') !== 'accepted')
    return judged([about(first, 'R-078', `${job.capability}: ${described(first)} Expected accepted.`)])
  const second = await start(site, job)
  const eta = ownMember(first.json, 'eta_seconds')
  return judged([
    ...(typeof ownMember(first.json, 'session_id') === 'string'
      ? []
      : [about(first, 'R-078', 'accepted without session_id.')]),
    ...(eta === undefined ? [about(first, 'R-078', 'accepted without eta_seconds.')] : []),
    ...(pollUrl(site, first) === undefined
      ? [about(first, 'R-078', 'accepted without an address of the site to poll.')]
      : []),
    ...(ownText(first.json, 'poll') === ownText(second.json, 'poll')
      ? [about(second, 'ASYN-001', 'Two jobs have one address to poll.')]
      : []),
  ])
}

/** Polls until the work is over, or the time is. */
async function wait(
  site: Site,
  accepted: Reading,
): Promise<{ readonly seen: readonly Reading[]; readonly isOver: boolean }> {
  const { jobTimeoutMs, sleep } = site.settings
  const url = pollUrl(site, accepted)
  const withCredential = (await site.credential()) !== undefined
  const seen: Reading[] = []
  for (let waitedMs = 0; url !== undefined && waitedMs <= jobTimeoutMs; waitedMs += POLL_EVERY_MS) {
    const reading = await poll(site, url, withCredential)
    seen.push(reading)
    if (ownMember(reading.json, 'status') !== 'pending') return { seen, isOver: true }
    await sleep(POLL_EVERY_MS, site.log.signal)
  }
  return { seen, isOver: false }
}

async function judgeCompleted(site: Site): Promise<Outcome> {
  const { job } = site.settings.probes
  if (job === undefined) return skipped(NO_JOB)
  const accepted = await start(site, job)
  const { seen, isOver } = await wait(site, accepted)
  const last = seen.at(-1)
  if (last === undefined) return skipped('There is no address to poll.')
  if (!isOver)
    return inconclusive(`The work takes longer than ${site.settings.jobTimeoutMs} ms. Give --job-timeout.`)
  const status = ownText(last.json, 'status')
  if (last.status !== 200 || !['success', 'failed', 'expired'].includes(status ?? ''))
    return judged([about(last, 'R-079', `The poll: ${described(last)}`)])
  const id = ownMember(accepted.json, 'session_id')
  const strange = seen.find(
    ({ json }) => ownText(json, 'status') !== 'success' && ownMember(json, 'session_id') !== id,
  )
  if (strange !== undefined)
    return judged([
      about(strange, 'R-079', 'The state of the work is told with the id of another.', {
        pointer: '/session_id',
      }),
    ])
  if (status !== 'success') return judged([], `The work ended with ${status ?? ''}.`)
  const hasMeta = ownMember(last.json, 'meta', 'capability_used') !== undefined
  return judged(
    hasMeta
      ? []
      : [about(last, 'R-081', 'The late answer has no meta, as any other has.', { pointer: '/meta' })],
  )
}

async function judgeCallbackRefused(site: Site): Promise<Outcome> {
  const { job } = site.settings.probes
  if (job === undefined) return skipped(NO_JOB)
  const findings: Finding[] = []
  for (const callback_url of PRIVATE_URLS) {
    const reading = await start(site, job, { context: { callback_url } })
    const expected = { status: 400, code: 'invalid_request', what: `The callback URL ${callback_url}` }
    findings.push(...refusalFindings(reading, 'R-117', expected))
  }
  return judged(findings)
}

async function judgeCallback(site: Site): Promise<Outcome> {
  const { sink, settings } = site
  const { job } = site.settings.probes
  if (job === undefined) return skipped(NO_JOB)
  if (sink === undefined) return skipped('There is nowhere to post to. Give --callback-url.')
  const accepted = await start(site, job, { context: { callback_url: sink.url } })
  if (ownMember(accepted.json, 'status') !== 'accepted')
    return judged([
      about(accepted, 'R-080', `The callback URL ${sink.url} is refused: ${described(accepted)}`),
    ])
  const { seen } = await wait(site, accepted)
  const last = seen.at(-1)
  const id = ownText(last?.json, 'session_id')
  const { jobTimeoutMs: timeoutMs, sleep } = settings
  const got = await sink.waitFor(({ body }) => id === undefined || body.includes(id), {
    timeoutMs,
    sleep,
    signal: site.log.signal,
  })
  if (got === undefined) return judged([about(accepted, 'R-080', 'Nothing was posted to the callback URL.')])
  const isSame = last !== undefined && sameAnswer(got.body, last)
  return judged(isSame ? [] : [about(accepted, 'R-080', 'What was posted is not what the poll answers.')])
}

function sameAnswer(body: string, polled: Reading): boolean {
  try {
    const posted: unknown = JSON.parse(body)
    const same = (...path: readonly string[]): boolean =>
      ownText(posted, ...path) === ownText(polled.json, ...path)
    return same('status') && same('response', 'answer')
  } catch {
    return false
  }
}
