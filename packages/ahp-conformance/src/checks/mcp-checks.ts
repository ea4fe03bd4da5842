import type { Capability } from '@doorplate/ahp-manifest'
import { judged, skipped, type Finding, type Outcome } from '@doorplate/conformance-kit'
import { ownList, ownMember, ownText } from '../own-member.js'
import { rule } from '../requirements.js'
import { callMcp, initializeParams, MCP_VERSION, type McpReply } from '../site/mcp.js'
import { described } from '../site/reading.js'
import { HARMLESS_QUERY, queryOf, type Site } from '../site/site.js'
import { wrongCopyOf } from '../wrong-credential.js'
import { closedCapabilities } from './auth-checks.js'
import { mcpVersionsCheck } from './mcp-versions-check.js'
import { about, answered, type SiteCheck } from './site-check.js'

/** The MCP face, where the manifest declares one. */
export const mcpChecks: readonly SiteCheck[] = [
  {
    id: 'mcp.initialize',
    title: 'The declared MCP endpoint opens a connection and names AHP',
    requirements: ['R-023', 'R-126', 'R-127', 'R-140'].map(rule),
    needs: ['manifest.identity'],
    hint: 'Answer initialize over HTTP POST, with ahp and manifest in serverInfo.',
    run: judgeInitialize,
  },
  mcpVersionsCheck,
  {
    id: 'mcp.tools',
    title: 'Each capability of MODE2 and MODE3 is a tool of the same name',
    requirements: ['R-023', 'R-128', 'R-130', 'R-131', 'R-132', 'R-133', 'R-134'].map(rule),
    needs: ['mcp.initialize'],
    hint: 'List a tool for each capability, with its name and description, and an input with query and session_id.',
    run: judgeTools,
  },
  {
    id: 'mcp.call',
    title: 'A tool answers as converse does',
    requirements: ['R-023', 'R-026', 'R-135', 'R-136', 'R-137'].map(rule),
    needs: ['mcp.tools', 'converse.answer'],
    hint: 'Send tools/call down the path of converse, and give its answer as content[0].text.',
    run: judgeCall,
  },
  {
    id: 'mcp.resources',
    title: 'The content of the site can be listed and read',
    requirements: ['R-023', 'R-129'].map(rule),
    needs: ['mcp.initialize'],
    hint: 'List your content by resources/list, and read what is listed by resources/read.',
    run: judgeResources,
  },
  {
    id: 'mcp.foreign_resources',
    title: 'Nothing else can be read through it',
    requirements: [rule('R-129')],
    needs: ['mcp.initialize'],
    hint: 'Look resources up in your own list, and fetch nothing that a caller names.',
    run: judgeForeignResources,
  },
  {
    id: 'mcp.auth',
    title: 'What converse keeps closed is closed here',
    requirements: ['R-027', 'R-138', 'R-139'].map(rule),
    needs: ['mcp.initialize'],
    hint: 'Judge the credential of Authorization and of _meta.auth by the rules of converse.',
    run: judgeAuth,
  },
  {
    id: 'mcp.errors',
    title: 'Calls that cannot be are answered with errors of JSON-RPC',
    requirements: [rule('R-023')],
    needs: ['mcp.initialize'],
    hint: 'Answer an unknown method with -32601, what is not JSON with -32700, and an unknown tool with an error.',
    run: judgeErrors,
  },
  {
    id: 'mcp.origin',
    title: 'Pages of other origins cannot use it',
    requirements: [rule('R-023')],
    needs: ['mcp.initialize'],
    hint: 'Refuse an Origin that is not in your list with status 403 (Model Context Protocol, "Transports").',
    run: async (site) => {
      const headers = { origin: 'https://doorplate-conformance.invalid' }
      const { reading } = await callMcp(site, 'initialize', initializeParams(MCP_VERSION), { headers })
      if (reading.status === 403) return judged([])
      const message = `A foreign Origin: status ${String(reading.status)}, expected 403.`
      return judged([about(reading, 'R-023', message, { advisory: true })])
    },
  },
]

async function judgeInitialize(site: Site): Promise<Outcome> {
  const { mcpUrl } = await site.declared()
  if (mcpUrl === undefined) return skipped('The manifest declares no MCP.')
  const { reading, message, result } = await callMcp(site, 'initialize', initializeParams(MCP_VERSION))
  if (ownMember(message, 'jsonrpc') !== '2.0' || typeof result !== 'object')
    return judged([
      about(reading, 'R-023', `initialize: ${described(reading)} Expected a result of JSON-RPC 2.0.`),
    ])
  const info = ownMember(result, 'serverInfo')
  const missing = ['name', 'version', 'ahp', 'manifest'].filter((name) => ownText(info, name) === undefined)
  const version = ownText(result, 'protocolVersion')
  return judged([
    ...(version === MCP_VERSION
      ? []
      : [
          about(
            reading,
            'R-140',
            `protocolVersion is ${version ?? 'absent'}, expected ${MCP_VERSION} as asked.`,
            // MCP lets a server answer with another version.
            { advisory: version !== undefined },
          ),
        ]),
    ...(missing.length === 0 ? [] : [about(reading, 'R-140', `serverInfo lacks ${missing.join(', ')}.`)]),
  ])
}

async function judgeTools(site: Site): Promise<Outcome> {
  const { capabilities } = await site.declared()
  const { reading, result } = await callMcp(site, 'tools/list', {})
  const tools = ownList(result, 'tools')
  const wanted = capabilities.filter(({ mode }) => mode !== 'MODE1')
  return judged(
    wanted.flatMap((capability) => {
      const tool = tools.find((candidate) => ownMember(candidate, 'name') === capability.name)
      if (tool === undefined) return [about(reading, 'R-128', `There is no tool named ${capability.name}.`)]
      return toolFindings(capability, tool).map(([number, message]) =>
        about(reading, number, `${capability.name}: ${message}`),
      )
    }),
  )
}

function toolFindings({ description }: Capability, tool: unknown): readonly (readonly [string, string])[] {
  const schema = ownMember(tool, 'inputSchema')
  const required = ownList(schema, 'required')
  const has = (name: string): boolean => ownMember(schema, 'properties', name) !== undefined
  return [
    ...(ownText(tool, 'description')?.includes(description) === true
      ? []
      : [['R-132', 'the description is not that of the capability.'] as const]),
    ...(has('query') && required.includes('query') ? [] : [['R-133', 'query is not required.'] as const]),
    ...(has('session_id') && !required.includes('session_id')
      ? []
      : [['R-133', 'session_id is not offered, or required.'] as const]),
  ]
}

async function judgeCall(site: Site): Promise<Outcome> {
  const { probe, withCredential, reading: asked } = await answered(site)
  const params = { name: probe.capability, arguments: { query: await queryOf(site, probe) } }
  const { reading, result } = await callMcp(site, 'tools/call', params, { withCredential })
  const text = ownText(result, 'content', 0, 'text') ?? ''
  if (text === '' || ownMember(result, 'isError') === true)
    return judged([
      about(
        reading,
        'R-136',
        `tools/call ${probe.capability}: ${described(reading)} Expected the answer as content[0].text.`,
      ),
    ])
  const answer = ownText(asked.json, 'response', 'answer') ?? ''
  const enveloped = ownText(result, 'structuredContent', 'response', 'answer')
  if (text === (enveloped ?? answer)) return judged([])
  const message = 'content[0].text is not the answer that converse gives to the same question.'
  return judged([about(reading, 'R-136', message, { advisory: enveloped === undefined })])
}

const MAX_RESOURCES = 3

async function judgeResources(site: Site): Promise<Outcome> {
  const { reading, result } = await callMcp(site, 'resources/list', {})
  if (!Array.isArray(ownMember(result, 'resources')))
    return judged([about(reading, 'R-023', `resources/list: ${described(reading)} Expected a list.`)])
  const uris = ownList(result, 'resources').flatMap((resource) => ownText(resource, 'uri') ?? [])
  if (uris.length === 0) return skipped('No resource is listed.')
  const findings: Finding[] = []
  for (const uri of uris.slice(0, MAX_RESOURCES)) {
    const read = await callMcp(site, 'resources/read', { uri })
    const [content] = ownList(read.result, 'contents')
    const hasContent = ownText(content, 'text') !== undefined || ownText(content, 'blob') !== undefined
    if (!hasContent) findings.push(about(read.reading, 'R-129', `The listed resource ${uri} cannot be read.`))
  }
  return judged(findings)
}

/** None of them leads anywhere, should a site follow it. */
const FOREIGN_URIS = [
  'http://127.0.0.1:9/doorplate-conformance',
  'https://doorplate-conformance.invalid/',
  'data:text/plain,doorplate-conformance',
  'file:///doorplate-conformance',
]

async function judgeForeignResources(site: Site): Promise<Outcome> {
  const findings: Finding[] = []
  for (const uri of FOREIGN_URIS) {
    const { reading, result } = await callMcp(site, 'resources/read', { uri })
    if (ownList(result, 'contents').length > 0 || result !== undefined)
      findings.push(about(reading, 'R-129', `resources/read answers ${uri}, which is not of the site.`))
  }
  return judged(findings)
}

async function judgeAuth(site: Site): Promise<Outcome> {
  const closed = await closedCapabilities(site)
  if (closed.length === 0) return skipped('No capability needs a credential.')
  const findings: Finding[] = []
  for (const { name } of closed) {
    const anonymous = await callMcp(site, 'tools/call', { name, arguments: { query: HARMLESS_QUERY } })
    if (!isRefused(anonymous))
      findings.push(about(anonymous.reading, 'R-139', `${name} is answered here without a credential.`))
  }
  return judged([...findings, ...(await credentialFindings(site))])
}

/** The credential of the run has to be taken in both places, and a wrong one in neither. */
async function credentialFindings(site: Site): Promise<readonly Finding[]> {
  const member = await site.member()
  const { credential } = site.settings
  if (credential === undefined || member === undefined || !(await callsOwnOrigin(site))) return []
  const params = { name: member.capability, arguments: { query: await queryOf(site, member) } }
  const byHeader = (withCredential: true | 'wrong'): Promise<McpReply> =>
    callMcp(site, 'tools/call', params, { withCredential })
  const byMeta = (secret: string): Promise<McpReply> =>
    callMcp(site, 'tools/call', { ...params, _meta: { auth: `Bearer ${secret}` } })
  const ways = [
    ['Authorization', await byHeader(true), await byHeader('wrong')],
    ['_meta.auth', await byMeta(credential), await byMeta(wrongCopyOf(credential))],
  ] as const
  return ways.flatMap(([way, right, wrong]) => [
    ...(isRefused(right) ? [about(right.reading, 'R-138', `A credential in ${way} is refused.`)] : []),
    ...(isRefused(wrong) ? [] : [about(wrong.reading, 'R-139', `A wrong credential in ${way} is taken.`)]),
  ])
}

async function callsOwnOrigin(site: Site): Promise<boolean> {
  const { mcpUrl = '' } = await site.declared()
  return new URL(mcpUrl).origin === site.origin
}

function isRefused({ reading, result, error }: McpReply): boolean {
  return reading.status === 401 || error !== undefined || ownMember(result, 'isError') === true
}

async function judgeErrors(site: Site): Promise<Outcome> {
  const unknown = await callMcp(site, 'doorplate/absent', {})
  const broken = await callMcp(site, 'tools/list', {}, { body: '{"jsonrpc":' })
  const tool = await callMcp(site, 'tools/call', { name: 'doorplate_absent', arguments: { query: 'hello' } })
  return judged([
    ...(ownMember(unknown.error, 'code') === -32_601
      ? []
      : [
          about(
            unknown.reading,
            'R-023',
            `An unknown method: ${described(unknown.reading)} Expected error -32601.`,
          ),
        ]),
    ...(ownMember(broken.error, 'code') === -32_700 || (broken.reading.status ?? 0) >= 400
      ? []
      : [
          about(
            broken.reading,
            'R-023',
            `What is not JSON: ${described(broken.reading)} Expected error -32700.`,
          ),
        ]),
    ...(isRefused(tool) ? [] : [about(tool.reading, 'R-023', 'A tool that does not exist is answered.')]),
  ])
}
