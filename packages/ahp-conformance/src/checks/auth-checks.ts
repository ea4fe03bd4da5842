import type { Capability } from '@doorplate/ahp-manifest'
import { counted, judged, skipped, type Finding, type Outcome } from '@doorplate/conformance-kit'
import { rule } from '../requirements.js'
import { needsCredential } from '../site/declared.js'
import { described } from '../site/reading.js'
import { HARMLESS_QUERY, type Site } from '../site/site.js'
import { roleCheck } from './error-checks.js'
import {
  about,
  refusalFindings,
  skippedWithoutCredential,
  successFindings,
  wrongCredentialFindings,
  type SiteCheck,
} from './site-check.js'

/** Who may ask what. Anonymous probes say that nothing shall be done; with the credential only named actions are asked. */
export const authChecks: readonly SiteCheck[] = [
  {
    id: 'auth.required',
    title: 'Actions, asynchronous capabilities and those that say so are closed to strangers',
    requirements: ['R-041', 'R-075', 'R-087', 'R-115'].map(rule),
    needs: ['converse.declared'],
    hint: 'Answer 401 auth_required before anything else is done.',
    run: judgeClosed,
  },
  {
    id: 'auth.accepted',
    title: 'The credential is taken where the manifest says',
    requirements: ['R-076', 'AUTH-003'].map(rule),
    needs: ['converse.declared'],
    hint: 'Take bearer tokens from Authorization and API keys from X-AHP-Key.',
    run: judgeAccepted,
  },
  {
    id: 'auth.wrong',
    title: 'A wrong credential is refused',
    requirements: [rule('R-087')],
    needs: ['converse.declared'],
    hint: 'Verify every credential, and answer 401 auth_required to one that you did not give out.',
    run: async (site) => {
      if ((await site.credential()) === undefined)
        return skippedWithoutCredential(site, 'Only a copy of a credential is tried.')
      const probe = await site.member()
      if (probe === undefined) return skipped(NO_MEMBER)
      const reading = await site.ask(probe, { withCredential: 'wrong' })
      return judged(wrongCredentialFindings(reading, 'R-087', probe.capability))
    },
  },
  {
    id: 'auth.action',
    title: 'An action is performed for whom may',
    requirements: ['R-075', 'R-076'].map(rule),
    needs: ['auth.required'],
    hint: 'Perform the action for a caller with a valid credential, and answer with its result.',
    run: async (site) => {
      const { action } = site.settings.probes
      if (action === undefined) return skipped('No action is named. Name one with --action; it IS performed.')
      if ((await site.credential()) === undefined)
        return skippedWithoutCredential(site, 'Actions need a credential.')
      const key = { 'idempotency-key': `doorplate-${String(Math.floor(site.settings.now()))}` }
      const reading = await site.ask(action, { withCredential: true, headers: key })
      if (reading.status === 401 || reading.status === 403)
        return judged([about(reading, 'R-076', `The credential is refused: ${described(reading)}`)])
      return judged(successFindings(reading, 'R-075', `The action ${action.capability}`))
    },
  },
  roleCheck({
    id: 'auth.forbidden',
    role: 'forbidden',
    title: 'Too few rights are told as forbidden',
    number: 'R-088',
    expected: { status: 403, code: 'forbidden' },
    hint: 'Answer 403 forbidden to a valid credential without the rights.',
  }),
]

const MAX_CLOSED = 20
const NO_MEMBER = 'No capability that only answers says that it needs a credential. Name one with --member.'

async function judgeClosed(site: Site): Promise<Outcome> {
  const closed = (await site.declared()).capabilities.filter(needsCredential).slice(0, MAX_CLOSED)
  if (closed.length === 0) return skipped('No capability needs a credential.')
  const findings: Finding[] = []
  for (const { name, action_type: type } of closed) {
    const reading = await site.ask({ capability: name, query: HARMLESS_QUERY })
    const number = type === undefined || type === 'query' ? 'R-087' : 'R-041'
    const what = `${name} without a credential`
    findings.push(...refusalFindings(reading, number, { status: 401, code: 'auth_required', what }))
  }
  return judged(findings, counted(closed.length, 'capability', 'capabilities'))
}

async function judgeAccepted(site: Site): Promise<Outcome> {
  if ((await site.credential()) === undefined) return skippedWithoutCredential(site, 'It takes a credential.')
  const { authentication } = await site.declared()
  const manifest = await site.manifest()
  if (authentication === 'none')
    return judged([
      about(manifest, 'AUTH-003', 'The manifest names no authentication, and a credential was given.'),
    ])
  const probe = await site.member()
  if (probe === undefined) return skipped(NO_MEMBER)
  const anonymous = await site.ask(probe)
  const known = await site.ask(probe, { withCredential: true })
  const wrong = successFindings(known, 'R-076', `${probe.capability} with the credential`)
  const isOpen = anonymous.status === 200
  return judged(
    isOpen ? [...wrong, about(anonymous, 'R-087', `${probe.capability} is open to strangers.`)] : wrong,
  )
}

/** What is closed to strangers, for the faces: asking it anonymously does no harm where it is refused. */
export async function closedCapabilities(site: Site): Promise<readonly Capability[]> {
  const member = await site.member()
  const { capabilities } = await site.declared()
  return capabilities
    .filter((own) => own.mode !== 'MODE1' && (own.name === member?.capability || needsCredential(own)))
    .slice(0, MAX_CLOSED)
}
