import {
  checkManifestSemantics,
  identifyAgentJson,
  isAhpManifestError,
  parseManifest,
  validateManifest,
  type Mode,
  type ValidationIssue,
} from '@doorplate/ahp-manifest'
import { judged, skipped, type Finding, type Outcome } from '@doorplate/conformance-kit'
import type { Profile } from '../profiles.js'
import { rule } from '../requirements.js'
import type { Reading } from '../site/reading.js'
import type { Site } from '../site/site.js'
import { about, type SiteCheck } from './site-check.js'

/** The manifest by itself. */
export const manifestChecks: readonly SiteCheck[] = [
  {
    id: 'manifest.http',
    title: 'The manifest is at its well-known path',
    requirements: [rule('R-002')],
    hint: 'Answer GET /.well-known/agent.json with status 200 and the manifest.',
    fatal: 'unreachable',
    run: async (site) => {
      const reading = await site.manifest()
      if (reading.status === 200) return judged([])
      const message = reading.failure ?? `Status ${String(reading.status)}, expected 200.`
      return judged([about(reading, 'R-002', message)])
    },
  },
  {
    id: 'manifest.identity',
    title: 'It is an AHP manifest of version 0.x',
    requirements: [rule('R-004'), rule('R-017'), rule('R-018')],
    needs: ['manifest.http'],
    hint: 'Publish a JSON object with ahp and modes; A2A and others use the same path for other documents.',
    fatal: 'unsupported_version',
    run: async (site) => judged(identityFindings(await site.manifest())),
  },
  {
    id: 'manifest.media_type',
    title: 'It is served as application/json',
    requirements: [rule('R-003')],
    needs: ['manifest.http'],
    hint: 'Send Content-Type: application/json.',
    run: async (site) => {
      const reading = await site.manifest()
      const type = reading.headers['content-type'] ?? 'absent'
      if (/^application\/json\s*(;|$)/i.test(type)) return judged([])
      return judged([about(reading, 'R-003', `Content-Type is ${type}, expected application/json.`)])
    },
  },
  {
    id: 'manifest.schema',
    title: 'It is valid',
    requirements: ['R-004', 'R-019', 'R-022', 'R-069', 'R-122', 'MAN-001', 'MAN-030'].map(rule),
    needs: ['manifest.identity'],
    hint: 'Correct what the schema of the manifest refuses.',
    run: async (site) => {
      const reading = await site.manifest()
      return judged(toFindings(reading, validateManifest(reading.json).issues))
    },
  },
  semanticCheck({
    id: 'manifest.modes',
    title: 'Modes and capabilities agree',
    codes: ['missing_capabilities', 'modes_not_cumulative', 'mode_without_capability', 'undeclared_mode'],
    numbers: ['R-020', 'R-029', 'R-033', 'R-034', 'R-038', 'SEM-002'],
    hint: 'Declare every mode below a mode, and capabilities for MODE2 and MODE3.',
  }),
  semanticCheck({
    id: 'manifest.actions',
    title: 'Capabilities of MODE3 say what they take, give and do, and who may use them',
    codes: [
      'missing_capability_schema',
      'missing_action_type',
      'unauthenticated_action',
      'async_not_supported',
    ],
    numbers: ['R-039', 'R-040', 'R-041', 'R-042'],
    hint: 'Give input_schema, output_schema and action_type; actions and async need authentication.',
  }),
  {
    id: 'manifest.limits',
    title: 'It declares the limits',
    requirements: ['R-094', 'R-105', 'SEM-007'].map(rule),
    needs: ['manifest.schema'],
    hint: 'Declare rate_limits, as they are enforced.',
    run: judgeLimits,
  },
  semanticCheck({
    id: 'manifest.endpoints',
    title: 'It names its endpoints by usable URLs',
    codes: [
      'missing_content_endpoint',
      'missing_converse_endpoint',
      'endpoint_not_resolvable',
      'url_with_credentials',
      'conflicting_integration',
    ],
    numbers: ['R-032', 'SEM-003', 'SEM-004', 'SEM-005', 'SEM-008'],
    hint: 'Name endpoints.content and endpoints.converse as paths that begin with one slash, or as URLs.',
  }),
  semanticCheck({
    id: 'manifest.statements',
    title: 'What else it states is complete and without contradiction',
    codes: [
      'duplicate_capability',
      'missing_content_signal',
      'undefined_authentication',
      'unregistered_type',
    ],
    numbers: ['SEM-001', 'SEM-006', 'SEM-009', 'R-121'],
    hint: 'Give each capability a name of its own, state all four signals, and begin types of your own with x-.',
  }),
  {
    id: 'manifest.caching',
    title: 'It has a validator and a lifetime, and is answered with 304',
    requirements: [rule('DISC-007')],
    needs: ['manifest.http'],
    hint: 'Send ETag and Cache-Control, and answer If-None-Match with 304.',
    run: judgeCaching,
  },
  {
    id: 'manifest.head',
    title: 'HEAD is answered as GET is',
    requirements: [rule('R-002')],
    needs: ['manifest.http'],
    hint: 'Answer HEAD wherever GET is answered, with the same header fields (RFC 9110, section 9.3.2).',
    run: judgeHead,
  },
]

/** For runs about a part of the protocol: that the site declares it at all. */
export function profileCheck(profile: Exclude<Profile, 'full'>): SiteCheck {
  const [mode, number] = WANTED[profile]
  return {
    id: 'manifest.profile',
    title: `The site declares ${mode}`,
    requirements: [rule(number)],
    needs: ['manifest.identity'],
    hint: `Declare ${mode} and what belongs to it, or check the site with another profile.`,
    run: async (site) => {
      const { manifest } = await site.declared()
      if (manifest.modes.includes(mode)) return judged([])
      return judged([
        about(await site.manifest(), number, `${mode} is not among the modes.`, { pointer: '/modes' }),
      ])
    },
  }
}

const WANTED: Readonly<Record<Exclude<Profile, 'full'>, readonly [Mode, string]>> = {
  mode1: ['MODE1', 'R-029'],
  mode2: ['MODE2', 'R-034'],
  mode3: ['MODE3', 'R-034'],
}

function identityFindings(reading: Reading): readonly Finding[] {
  const { json, text } = reading
  if (json === undefined) {
    const hint = /^\s*</.test(text) ? ' It looks like a page.' : ''
    return [about(reading, 'R-004', `The manifest is not JSON.${hint}`)]
  }
  const identities = identifyAgentJson(json)
  const manifest = identities.find((identity) => identity.kind === 'ahp-manifest')
  if (manifest === undefined) {
    const others = identities.map(({ kind }) => kind).join(', ')
    const what = others === '' ? 'It has no ahp and modes.' : `It is another document: ${others}.`
    return [about(reading, 'R-004', what)]
  }
  if (!manifest.version.startsWith('0.'))
    return [about(reading, 'R-017', `Version ${manifest.version} is not one that can be judged; 0.1 is.`)]
  return unreadableFindings(reading)
}

/** What even a tolerant agent makes nothing of: too long a text, or no known mode. */
function unreadableFindings(reading: Reading): readonly Finding[] {
  try {
    parseManifest(reading.text)
    return []
  } catch (error) {
    if (isAhpManifestError(error)) return [about(reading, 'R-004', error.message)]
    throw error
  }
}

function semanticCheck(about: {
  readonly id: string
  readonly title: string
  readonly codes: readonly string[]
  readonly numbers: readonly string[]
  readonly hint: string
}): SiteCheck {
  const { id, title, codes, numbers, hint } = about
  return {
    id,
    title,
    requirements: numbers.map(rule),
    needs: ['manifest.schema'],
    hint,
    run: async (site) => {
      const reading = await site.manifest()
      return judged(semanticFindings(reading, codes))
    },
  }
}

function semanticFindings(reading: Reading, codes: readonly string[]): readonly Finding[] {
  const issues = checkManifestSemantics(reading.json).filter(({ code }) => codes.includes(code))
  return toFindings(reading, issues).map((finding) =>
    // The rule of the draft is more binding than that of the manifest as a document.
    finding.requirement === rule('SEM-010') ? { ...finding, requirement: rule('R-121') } : finding,
  )
}

/** Limits that are told with the very manifest are enforced, and then it has to declare them. */
async function judgeLimits(site: Site): Promise<Outcome> {
  const reading = await site.manifest()
  const isTold = reading.headers['x-ratelimit-limit'] !== undefined
  const undeclared = semanticFindings(reading, ['missing_rate_limits'])
  return judged([
    ...undeclared.map((finding) => (isTold ? { ...finding, requirement: rule('R-105') } : finding)),
    ...semanticFindings(reading, ['conflicting_rate_limit']),
  ])
}

function toFindings({ url }: Reading, issues: readonly ValidationIssue[]): readonly Finding[] {
  return issues.map(({ rule: requirement, path, message }) => ({ requirement, url, pointer: path, message }))
}

async function judgeCaching(site: Site): Promise<Outcome> {
  const reading = await site.manifest()
  const { etag, 'cache-control': lifetime } = reading.headers
  const findings = [
    ...(etag === undefined ? [about(reading, 'DISC-007', 'The manifest has no ETag.')] : []),
    ...(lifetime === undefined ? [about(reading, 'DISC-007', 'The manifest has no Cache-Control.')] : []),
  ]
  if (etag === undefined) return judged(findings)
  const again = await site.send('manifest', {
    url: reading.url,
    headers: { accept: 'application/json', 'if-none-match': etag },
  })
  if (again.status === 304) return judged(findings)
  if (again.status === undefined) return skipped(again.failure ?? 'No response.')
  const message = `If-None-Match with its ETag is answered with status ${again.status}, expected 304.`
  return judged([...findings, about(again, 'DISC-007', message)])
}

/** That HEAD is answered is a rule of HTTP (RFC 9110, section 9.1), which the specification leaves unsaid. */
async function judgeHead(site: Site): Promise<Outcome> {
  const got = await site.manifest()
  const headers = { accept: 'application/json' }
  const head = await site.send('manifest', { url: got.url, method: 'HEAD', headers })
  const finding = (message: string): Outcome =>
    judged([about(head, 'R-002', `HEAD: ${message}`, { advisory: true })])
  if (head.status !== got.status)
    return finding(head.failure ?? `Status ${String(head.status)}, expected 200.`)
  if (head.text !== '') return finding('A body is sent.')
  const isCoded = /accept-encoding|\*/i.test(got.headers['vary'] ?? '')
  const same = isCoded ? SAME_FOR_HEAD : [...SAME_FOR_HEAD, ...SAME_UNCODED]
  const differing = same.find((name) => isOther(head.headers[name], got.headers[name]))
  if (differing === undefined) return judged([])
  return finding(
    `${differing} is ${head.headers[differing] ?? 'absent'}, and with GET ${got.headers[differing] ?? 'absent'}.`,
  )
}

/** What an agent judges a manifest by. */
const SAME_FOR_HEAD = ['content-type']
/** The same, where no content coding may have been left out because there is no body. */
const SAME_UNCODED = ['content-length', 'etag']

/** What only a body tells may be left out (RFC 9110, section 9.3.2). */
function isOther(head: string | undefined, got: string | undefined): boolean {
  return head !== got && got !== undefined && head !== undefined
}
