import { judged, type Finding, type Outcome } from '@doorplate/conformance-kit'
import { ownList, ownMember, ownText } from '../own-member.js'
import { rule } from '../requirements.js'
import { callMcp, initializeParams, type McpReply } from '../site/mcp.js'
import { described } from '../site/reading.js'
import { queryOf, type Site } from '../site/site.js'
import { about, type SiteCheck } from './site-check.js'

/** Whether clients of other revisions than the one of the draft get the same. */
export const mcpVersionsCheck: SiteCheck = {
  id: 'mcp.versions',
  title: 'Clients of later revisions are served too',
  requirements: ['R-023', 'R-128', 'R-135'].map(rule),
  needs: ['mcp.initialize'],
  hint: 'Answer initialize of any revision with one that you speak, and the same tools to all.',
  run: judgeVersions,
}

/** What a site need not speak, and what holds of it where it does. */
async function judgeVersions(site: Site): Promise<Outcome> {
  const opened = await callMcp(site, 'initialize', initializeParams('2025-06-18'), { version: '2025-06-18' })
  const isOpened = ownText(opened.result, 'protocolVersion') !== undefined
  const findings = isOpened
    ? []
    : [
        about(
          opened.reading,
          'R-023',
          `initialize by 2025-06-18: ${described(opened.reading)} Expected a result.`,
        ),
      ]
  const version = '2026-07-28'
  const discovered = await callMcp(site, 'server/discover', {}, { version })
  if (!ownList(discovered.result, 'supportedVersions').includes(version))
    return judged(findings, `It does not speak ${version}.`)
  const before = await callMcp(site, 'tools/list', {})
  const listed = await callMcp(site, 'tools/list', {}, { version })
  const missing = toolNames(before).filter((name) => !toolNames(listed).includes(name))
  return judged([
    ...findings,
    ...missing.map((name) => about(listed.reading, 'R-128', `By ${version} there is no tool named ${name}.`)),
    ...(await callFindings(site, version)),
  ])
}

function toolNames({ result }: McpReply): readonly string[] {
  return ownList(result, 'tools').flatMap((tool) => ownText(tool, 'name') ?? [])
}

async function callFindings(site: Site, version: '2026-07-28'): Promise<readonly Finding[]> {
  const asked = await site.answer()
  if (asked === undefined || ownMember(asked.reading.json, 'status') !== 'success') return []
  const { probe, withCredential } = asked
  const params = { name: probe.capability, arguments: { query: await queryOf(site, probe) } }
  const { reading, result } = await callMcp(site, 'tools/call', params, { withCredential, version })
  if ((ownText(result, 'content', 0, 'text') ?? '') !== '' && ownMember(result, 'isError') !== true) return []
  return [about(reading, 'R-135', `tools/call by ${version}: ${described(reading)} Expected an answer.`)]
}
