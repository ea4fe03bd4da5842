import { checkOption, isAbsentOr, isRecord, isTexts } from '../options/check-option.js'
import { integerOption } from '../options/integer-option.js'
import { resolveWebUrl } from '../url/web-url.js'
import { parseAidRecords, type AidProblem, type AidRecord } from './aid-record.js'
import { parseSvcbRecord } from './svcb-record.js'

/** How names are looked up. `dns.promises` of Node has `resolveTxt`; no version of it asks for SVCB. */
export interface DnsResolver {
  resolveTxt(name: string): Promise<readonly (readonly string[])[]>
  /** SVCB records in presentation form. Without it DNS-AID is left out. */
  resolveSvcb?(name: string): Promise<readonly string[]>
}

/** An agent, or the index of agents, that DNS-AID names (draft-mozleywilliams-dnsop-dnsaid). */
export interface DnsAidRecord {
  readonly kind: 'dns-aid-index' | 'dns-aid-agent'
  readonly protocol?: string
  readonly target: string
  readonly port?: number
  /** The capability document (private key 65400 until one is registered). */
  readonly capability?: string
}

/** What DNS says about the agents of a host. */
export interface AgentRecords {
  readonly aid?: AidRecord
  readonly aidProblems: readonly AidProblem[]
  readonly ambiguous: boolean
  readonly dnsAid: readonly DnsAidRecord[]
  /** Names whose lookup failed otherwise than by there being none. */
  readonly failed: readonly string[]
}

const ABSENT: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'NXDOMAIN', 'NODATA'])

/** Records of one name that are read. */
const MAX_RECORDS = 100

/**
 * Looks up what a domain says of its agents in DNS: AID (`_agent`) and, with `resolveSvcb`, DNS-AID (`_index._agents`, and
 * `agents`: names such as `_chat._mcp`). A failed lookup is an entry, not an exception.
 *
 * @throws {AgentDiscoveryError} `invalid_option`; rejects with the signal's reason when aborted
 */
export async function lookupAgentRecords(
  domain: string,
  options: {
    readonly resolver: DnsResolver
    readonly agents?: readonly string[]
    /** Time for each lookup; one that takes longer has failed. Default 5 000. */
    readonly timeoutMs?: number
    readonly signal?: AbortSignal
  },
): Promise<AgentRecords> {
  checkOption('options', isRecord(options), 'an object')
  const { resolver, agents = [], signal } = options
  checkOption('resolver', isResolver(resolver), 'an object with a function resolveTxt')
  checkOption('agents', isTexts(agents), 'a list of texts')
  checkOption('signal', signal === undefined || (signal as unknown) instanceof AbortSignal, 'an AbortSignal')
  checkOption('domain', isDomain(domain), 'a host name')
  const timeoutMs = integerOption('timeoutMs', options.timeoutMs, 5000)
  const failed: string[] = []
  const ask = async <Record>(
    name: string,
    lookup: (name: string) => Promise<readonly Record[]>,
    isRecord: (value: unknown) => boolean,
  ): Promise<readonly Record[]> => {
    signal?.throwIfAborted()
    try {
      const answer: unknown = await answered(lookup(name), timeoutMs, signal)
      if (Array.isArray(answer)) return answer.slice(0, MAX_RECORDS).filter(isRecord) as Record[]
      failed.push(name)
    } catch (error) {
      signal?.throwIfAborted()
      if (!ABSENT.has(codeOf(error))) failed.push(name)
    }
    return []
  }
  const names = resolver.resolveSvcb ? ['_index', ...agents].map((agent) => `${agent}._agents.${domain}`) : []
  const [texts, ...bindings] = await Promise.all([
    ask(`_agent.${domain}`, (name) => resolver.resolveTxt(name), isTexts),
    ...names.map((name) => ask(name, async (asked) => (await resolver.resolveSvcb?.(asked)) ?? [], isText)),
  ])
  signal?.throwIfAborted()
  const { record, problems, ambiguous } = parseAidRecords(texts)
  return {
    ...(record && { aid: record }),
    aidProblems: problems,
    ambiguous,
    dnsAid: bindings.flatMap((records, index) =>
      records.flatMap((text) => readBinding(names[index] ?? '', text)),
    ),
    failed,
  }
}

/** Whether a value can be asked as a `DnsResolver`. */
export function isResolver(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { resolveTxt, resolveSvcb } = value as Readonly<Record<keyof DnsResolver, unknown>>
  return typeof resolveTxt === 'function' && isAbsentOr('function', resolveSvcb)
}

/** Whether DNS can hold records for a name: labels of letters, digits, hyphens and underscores, without a final dot. */
export function isDomain(name: string): boolean {
  return typeof name === 'string' && /^(?=.{1,253}$)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i.test(name)
}

/** The answer, unless time runs out or the caller aborts first: a resolver need not know of either. */
function answered<Answer>(
  answer: Promise<Answer>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
    const stop = (): void => {
      end()
      reject(new Error('No answer in time.'))
    }
    const timer = setTimeout(stop, timeoutMs)
    signal?.addEventListener('abort', stop)
    Promise.resolve(answer).then(resolve, reject).finally(end)
  })
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** A service binding under `_agents` as an agent or an index; nothing if the text is no SVCB record. */
export function readBinding(name: string, text: string): readonly DnsAidRecord[] {
  const record = parseSvcbRecord(text)
  if (!record) return []
  const [agent = '', protocol] = name.split('.')
  const port = Number(record.parameters.get('port'))
  const capability = resolveWebUrl(record.parameters.get('key65400') ?? '', 'invalid:/')
  const shared = {
    target: record.target,
    ...(Number.isInteger(port) && port > 0 && port <= 65_535 && { port }),
    ...('url' in capability && { capability: capability.url.href }),
  }
  if (agent === '_index') return [{ kind: 'dns-aid-index', ...shared }]
  return [
    { kind: 'dns-aid-agent', ...(protocol?.startsWith('_') && { protocol: protocol.slice(1) }), ...shared },
  ]
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}
