import { judged, type Finding, type Outcome } from '@doorplate/conformance-kit'
import { ownMember, ownText } from '../own-member.js'
import { rule } from '../requirements.js'
import type { Site } from '../site/site.js'
import { about, answered, type SiteCheck } from './site-check.js'

/** Whether callers are kept apart, and whether a request can change what others see. Every probe is harmless. */
export const safetyChecks: readonly SiteCheck[] = [
  {
    id: 'safety.sessions_apart',
    title: 'What was said in one session is not told in another',
    requirements: ['SES-001', 'R-114'].map(rule),
    needs: ['sessions.continued'],
    hint: 'Keep for others only answers to first questions of strangers; never one that a session took part in.',
    run: judgeSessionsApart,
  },
  {
    id: 'safety.answers_apart',
    title: 'A long question is not answered with the answer to another that begins like it',
    requirements: [rule('R-036')],
    needs: ['converse.answer'],
    hint: 'Keep answers by the whole question and all that shaped the answer.',
    run: judgeAnswersApart,
  },
  {
    id: 'safety.forwarded_host',
    title: 'Header fields of a caller do not get into addresses of the site',
    requirements: [rule('R-004')],
    needs: ['manifest.identity'],
    hint: 'Make absolute URLs from a configured origin, never from Host or X-Forwarded-Host.',
    run: judgeForwardedHost,
  },
]

async function judgeSessionsApart(site: Site): Promise<Outcome> {
  const { probe, withCredential } = await answered(site)
  const secret = `doorplate${String(Math.floor(site.settings.now()))}`
  const question = 'Which word did I mention before?'
  const told = await site.ask({ ...probe, query: `Remember the word ${secret}.` }, { withCredential })
  const session_id = ownText(told.json, 'session_id')
  await site.ask({ ...probe, query: question }, { withCredential, body: { session_id } })
  const other = await site.ask({ ...probe, query: question }, { withCredential })
  if (!other.text.includes(secret)) return judged([])
  return judged([about(other, 'SES-001', 'Another session is told what was said in the first.')])
}

async function judgeAnswersApart(site: Site): Promise<Outcome> {
  const { probe, withCredential } = await answered(site)
  const beginning = 'I would like to know in detail about what can be found here. '.repeat(4)
  // A run before this one may have asked the same.
  const nonce = String(Math.floor(site.settings.now()))
  const [first, second] = ['alpha', 'omega'].map((end) => `${beginning}My word is ${end}${nonce}.`)
  const one = await site.ask({ ...probe, query: first ?? '' }, { withCredential })
  const other = await site.ask({ ...probe, query: second ?? '' }, { withCredential })
  const isKept = ownMember(other.json, 'meta', 'cached') === true
  const isSame = ownText(one.json, 'response', 'answer') === ownText(other.json, 'response', 'answer')
  if (!isKept || !isSame) return judged([])
  return judged([about(other, 'R-036', 'A kept answer is given to a question that was never asked before.')])
}

const FORGED = 'doorplate-conformance.invalid'

async function judgeForwardedHost(site: Site): Promise<Outcome> {
  const { openapiUrl } = await site.declared()
  const { url } = await site.manifest()
  const headers = {
    'x-forwarded-host': FORGED,
    'x-forwarded-proto': 'javascript',
    forwarded: `host=${FORGED}`,
  }
  const findings: Finding[] = []
  for (const [endpoint, target] of [
    ['manifest', url],
    ['openapi', openapiUrl],
  ] as const) {
    if (target === undefined) continue
    const reading = await site.send(endpoint, {
      url: target,
      headers: { accept: 'application/json', ...headers },
    })
    const seen =
      reading.text.includes(FORGED) || Object.values(reading.headers).some((value) => value.includes(FORGED))
    if (seen) findings.push(about(reading, 'R-004', 'The host of X-Forwarded-Host is in the response.'))
  }
  return judged(findings)
}
