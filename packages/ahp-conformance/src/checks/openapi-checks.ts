import { AHP_VERSION, type Capability } from '@doorplate/ahp-manifest'
import { judged, skipped, type Finding, type Outcome } from '@doorplate/conformance-kit'
import { isObject, ownList, ownMember, ownText } from '../own-member.js'
import { rule } from '../requirements.js'
import { needsCredential } from '../site/declared.js'
import { openapiProblems } from '../site/openapi-problems.js'
import { described, type Reading } from '../site/reading.js'
import { HARMLESS_QUERY, queryOf, type Site } from '../site/site.js'
import { closedCapabilities } from './auth-checks.js'
import {
  about,
  answered,
  refusalFindings,
  successFindings,
  wrongCredentialFindings,
  type SiteCheck,
} from './site-check.js'

/** The OpenAPI face, where the manifest declares one. */
export const openapiChecks: readonly SiteCheck[] = [
  {
    id: 'openapi.valid',
    title: 'The declared description is one of OpenAPI 3.1, by its official schema',
    requirements: ['R-024', 'R-141'].map(rule),
    needs: ['manifest.identity'],
    hint: 'Serve a valid OpenAPI 3.1 document in JSON at the declared URL.',
    run: async (site) => {
      const { openapiUrl } = await site.declared()
      if (openapiUrl === undefined) return skipped('The manifest declares no OpenAPI.')
      const reading = await description(site)
      if (reading.status !== 200 || !isObject(reading.json))
        return judged([
          about(reading, 'R-024', `The description: ${described(reading)} Expected a document in JSON.`),
        ])
      const problems = await openapiProblems(reading.json)
      return judged(problems.map(({ pointer, message }) => about(reading, 'R-024', message, { pointer })))
    },
  },
  {
    id: 'openapi.info',
    title: 'It takes name, version and address from the site',
    requirements: [rule('R-141')],
    needs: ['openapi.valid'],
    hint: 'Give the title of the manifest, the version of the protocol, and the origin of the site in servers[0].',
    run: judgeInfo,
  },
  {
    id: 'openapi.operations',
    title: 'Each capability is an operation of its own',
    requirements: ['R-025', 'R-142', 'R-144', 'R-145'].map(rule),
    needs: ['openapi.valid'],
    hint: 'Describe POST /capabilities/{name} with the name as operationId, a required query, and 200, 400, 401 and 429.',
    run: judgeOperations,
  },
  {
    id: 'openapi.security',
    title: 'Operations that need a credential name the scheme',
    requirements: ['R-141', 'R-146'].map(rule),
    needs: ['openapi.operations'],
    hint: 'Put the scheme into components.securitySchemes, and name it in security of each closed operation.',
    run: judgeSecurity,
  },
  {
    id: 'openapi.polling',
    title: 'Asynchronous operations describe the polling',
    requirements: [rule('R-147')],
    needs: ['openapi.operations'],
    hint: 'Say in the operation that the answer comes later, and where it is polled.',
    run: async (site) => {
      const late = (await site.declared()).capabilities.filter(({ action_type: type }) => type === 'async')
      if (late.length === 0) return skipped('No capability is asynchronous.')
      const reading = await description(site)
      return judged(
        late
          .filter(({ name }) => !/\bpoll|status\//i.test(JSON.stringify([operationOf(reading, name)])))
          .map(({ name }) => about(reading, 'R-147', `The operation ${name} says nothing of polling.`)),
      )
    },
  },
  {
    id: 'openapi.call',
    title: 'The described paths answer as converse does',
    requirements: ['R-026', 'R-143'].map(rule),
    needs: ['openapi.operations', 'converse.answer'],
    hint: 'Serve POST /capabilities/{name} by the path of converse.',
    run: async (site) => {
      const { probe, withCredential } = await answered(site)
      const reading = await call(site, probe.capability, await queryOf(site, probe), withCredential)
      return judged(successFindings(reading, 'R-143', `POST /capabilities/${probe.capability}`))
    },
  },
  {
    id: 'openapi.auth',
    title: 'What converse keeps closed is closed there',
    requirements: [rule('R-027')],
    needs: ['openapi.operations'],
    hint: 'Judge callers of the described paths by the rules of converse.',
    run: async (site) => {
      const closed = await closedCapabilities(site)
      if (closed.length === 0) return skipped('No capability needs a credential.')
      const findings: Finding[] = []
      for (const { name } of closed) {
        const reading = await call(site, name, HARMLESS_QUERY, false)
        const what = `POST /capabilities/${name} without a credential`
        findings.push(...refusalFindings(reading, 'R-027', { status: 401, code: 'auth_required', what }))
      }
      const member = await site.member()
      if (member === undefined || site.settings.credential === undefined) return judged(findings)
      const wrong = await call(site, member.capability, await queryOf(site, member), 'wrong')
      const what = `POST /capabilities/${member.capability}`
      return judged([...findings, ...wrongCredentialFindings(wrong, 'R-027', what)])
    },
  },
]

async function description(site: Site): Promise<Reading> {
  const { openapiUrl = '' } = await site.declared()
  return site.send('openapi', { url: openapiUrl, headers: { accept: 'application/json' } })
}

/** Asks where the description says: by its path, and the base path of its server. */
async function call(
  site: Site,
  capability: string,
  query: string,
  withCredential: boolean | 'wrong',
): Promise<Reading> {
  const { manifestUrl } = await site.declared()
  const base = basePathOf(await description(site), capability)
  const url = new URL(`${base}/capabilities/${capability}`, manifestUrl).href
  return site.post(JSON.stringify({ query }), { url, withCredential })
}

/**
 * The path of the server of an operation, without a slash at its end. Its host is not gone to: a copy of a site under test
 * may describe the original.
 */
function basePathOf({ json, url }: Reading, capability: string): string {
  const item = ['paths', `/capabilities/${capability}`]
  const [server] = [[...item, 'post', 'servers'], [...item, 'servers'], ['servers']]
    .map((path) => ownMember(json, ...path, 0))
    .filter((found) => found !== undefined)
  const template = (ownText(server, 'url') ?? '').slice(0, MAX_SERVER_LENGTH)
  const reference = template.replace(
    /\{([^{}]*)\}/g,
    (_, name: string) => ownText(server, 'variables', name, 'default') ?? '',
  )
  if (reference === '' || !URL.canParse(reference, url)) return ''
  return new URL(reference, url).pathname.replace(/\/+$/, '')
}

const MAX_SERVER_LENGTH = 2_048

function operationOf({ json }: Reading, name: string): unknown {
  return ownMember(json, 'paths', `/capabilities/${name}`, 'post')
}

async function judgeInfo(site: Site): Promise<Outcome> {
  const reading = await description(site)
  const { manifest } = await site.declared()
  const server = ownText(reading.json, 'servers', 0, 'url') ?? ''
  const origin = URL.canParse(server, reading.url) ? new URL(server, reading.url).origin : ''
  const differs = (name: string, expected: string): readonly Finding[] => {
    const seen = ownText(reading.json, 'info', name)
    if (seen === expected) return []
    return [
      about(reading, 'R-141', `info.${name} is ${seen ?? 'absent'}, expected ${expected}.`, {
        pointer: `/info/${name}`,
      }),
    ]
  }
  return judged([
    ...(manifest.name === undefined ? [] : differs('title', manifest.name)),
    ...differs('version', AHP_VERSION),
    ...(origin === new URL(reading.url).origin || origin === site.origin || server.startsWith('https://')
      ? []
      : [
          about(reading, 'R-141', `servers[0].url is ${server === '' ? 'absent' : server}.`, {
            pointer: '/servers/0/url',
          }),
        ]),
  ])
}

async function judgeOperations(site: Site): Promise<Outcome> {
  const reading = await description(site)
  const { capabilities } = await site.declared()
  return judged(
    capabilities.flatMap((capability): readonly Finding[] => {
      const { name, mode } = capability
      const operation = operationOf(reading, name)
      if (mode === 'MODE1')
        return operation === undefined
          ? []
          : [about(reading, 'R-145', `${name} is of MODE1, and an operation to post to.`)]
      if (!isObject(operation)) return [about(reading, 'R-025', `There is no POST /capabilities/${name}.`)]
      return operationFindings(reading, capability, operation)
    }),
  )
}

const RESPONSES = ['200', '400', '401', '429']

function operationFindings(reading: Reading, { name }: Capability, operation: unknown): readonly Finding[] {
  const finding = (message: string): Finding => about(reading, 'R-142', `${name}: ${message}`)
  const missing = RESPONSES.filter((status) => ownMember(operation, 'responses', status) === undefined)
  const schema = resolved(
    reading.json,
    ownMember(operation, 'requestBody', 'content', 'application/json', 'schema'),
  )
  return [
    ...(ownMember(operation, 'operationId') === name ? [] : [finding('operationId is not the name.')]),
    ...(missing.length === 0 ? [] : [finding(`responses lack ${missing.join(', ')}.`)]),
    ...(ownList(schema, 'required').includes('query') ? [] : [finding('the body does not require query.')]),
  ]
}

/** A schema, one local reference followed. */
function resolved(document: unknown, schema: unknown): unknown {
  const [, name] = /^#\/components\/schemas\/([\w.-]+)$/.exec(ownText(schema, '$ref') ?? '') ?? []
  return name === undefined ? schema : ownMember(document, 'components', 'schemas', name)
}

async function judgeSecurity(site: Site): Promise<Outcome> {
  const closed = (await site.declared()).capabilities.filter(
    (own) => own.mode !== 'MODE1' && needsCredential(own),
  )
  if (closed.length === 0) return skipped('No capability needs a credential.')
  const reading = await description(site)
  const schemes = Object.keys(ownMember(reading.json, 'components', 'securitySchemes') ?? {})
  return judged(
    closed.flatMap(({ name }) => {
      const own = ownMember(operationOf(reading, name), 'security') ?? ownMember(reading.json, 'security')
      const named = (Array.isArray(own) ? own : []).flatMap((entry) =>
        isObject(entry) ? Object.keys(entry) : [],
      )
      if (named.some((scheme) => schemes.includes(scheme))) return []
      return [
        about(
          reading,
          'R-146',
          `The operation ${name} needs a credential, and names no scheme that is there.`,
        ),
      ]
    }),
  )
}
