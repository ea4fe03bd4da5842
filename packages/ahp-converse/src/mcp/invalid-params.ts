import { type SpecTypeName, specTypeSchemas } from '@modelcontextprotocol/server'
import { oneLine } from '../one-line.js'

/** The requests that are served, as the SDK knows them. */
const REQUESTS: ReadonlyMap<unknown, SpecTypeName> = new Map<unknown, SpecTypeName>([
  ['initialize', 'InitializeRequest'],
  ['ping', 'PingRequest'],
  ['server/discover', 'DiscoverRequest'],
  ['tools/list', 'ListToolsRequest'],
  ['tools/call', 'CallToolRequest'],
  ['resources/list', 'ListResourcesRequest'],
  ['resources/read', 'ReadResourceRequest'],
  ['resources/templates/list', 'ListResourceTemplatesRequest'],
])
const MAX_ISSUES = 5
const MAX_LENGTH = 500

/** What is wrong with the parameters of a request, in a line; undefined where that is nothing. */
export function invalidParams(message: object): string | undefined {
  const name = REQUESTS.get((message as { method?: unknown }).method)
  if (name === undefined) return undefined
  const { issues = [] } = specTypeSchemas[name]['~standard'].validate(message)
  if (issues.length === 0) return undefined
  const said = issues.slice(0, MAX_ISSUES).map(({ path = [], message: what }) => {
    const steps = path.map((step) => String(typeof step === 'object' ? step.key : step))
    return `${steps.join('.')}: ${what}`
  })
  return oneLine(`Invalid params. ${said.join('; ')}`, MAX_LENGTH)
}
