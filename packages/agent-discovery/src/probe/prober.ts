import { parseRetryAfter } from '@doorplate/safe-fetch'
import { decodeText } from '../decode-text.js'
import type { Kind } from '../kinds/kind.js'
import { Budget, type StopReason } from './budget.js'
import { Concurrency } from './concurrency.js'
import { fetchCapped, type CappedResponse, type FetchFailure } from './fetch-capped.js'
import { fingerprint, type Fingerprint } from './fingerprint.js'
import { judge, judgeFailure, judgeHead, type Controls, type Examined } from './judge.js'
import { canaryPath, PATH_SHAPES, pathShape, type PathShape } from './probe-list.js'
import type { ProbePolicy } from './probe-options.js'

/** Of a page that is no answer only the beginning is read. */
const MAX_HTML_BYTES = 16_384

const ACCEPT_TEXT = 'text/markdown, text/plain;q=0.9, */*;q=0.1'
const ACCEPT_JSON = 'application/json, application/linkset+json, application/agent+json, */*;q=0.1'

const TEXT_KINDS: ReadonlySet<Kind> = new Set<Kind>([
  'llms-txt',
  'llms-full-txt',
  'auth-md',
  'markdown',
  'robots-txt',
  'security-txt',
  'agent-skill',
  'sitemap',
])

/** Examines resources within one budget, each URL once, and asks each origin first for paths that cannot exist. */
export class Prober {
  readonly budget: Budget
  readonly #policy: ProbePolicy
  readonly #concurrency: Concurrency
  readonly #examined = new Map<string, Promise<Examined>>()
  readonly #canaries = new Map<string, ReadonlyMap<PathShape, Promise<Fingerprint | undefined>>>()

  constructor(policy: ProbePolicy) {
    this.#policy = policy
    this.#concurrency = new Concurrency(policy.concurrency)
    this.budget = new Budget(policy)
  }

  /** What there is at a URL that is expected to be of a kind. Rejects only when the caller aborts. */
  examine(url: string, expected: Kind): Promise<Examined> {
    const known = this.#examined.get(url)
    if (known) return known
    const examined =
      this.#policy.method === 'HEAD' ? this.#examineHead(url, expected) : this.#examine(url, expected)
    this.#examined.set(url, examined)
    return examined
  }

  async #examine(url: string, expected: Kind): Promise<Examined> {
    const canaries = this.#canariesOf(new URL(url).origin)
    const [answer, controls] = await Promise.all([
      this.#request(url, 'GET', this.#maxBytes(expected), acceptFor(TEXT_KINDS.has(expected))),
      controlsOf(canaries, pathShape(url)),
    ])
    if ('stopped' in answer) return unasked(expected, answer.stopped)
    if ('failure' in answer) return { finding: judgeFailure(answer, expected) }
    return judge(answer, expected, controls)
  }

  async #examineHead(url: string, expected: Kind): Promise<Examined> {
    const answer = await this.#request(url, 'HEAD', 0, acceptFor(TEXT_KINDS.has(expected)))
    if ('stopped' in answer) return unasked(expected, answer.stopped)
    return { finding: 'failure' in answer ? judgeFailure(answer, expected) : judgeHead(answer, expected) }
  }

  #canariesOf(origin: string): ReadonlyMap<PathShape, Promise<Fingerprint | undefined>> {
    const known = this.#canaries.get(origin)
    if (known) return known
    const token = `${randomText(this.#policy.random)}-canary`
    const canaries = new Map(
      PATH_SHAPES.map((shape) => [shape, this.#canary(origin + canaryPath(shape, token))]),
    )
    this.#canaries.set(origin, canaries)
    return canaries
  }

  async #canary(url: string): Promise<Fingerprint | undefined> {
    const answer = await this.#request(
      url,
      'GET',
      this.#policy.maxTextBytes,
      acceptFor(pathShape(url) === 'text'),
    )
    if ('stopped' in answer || 'failure' in answer) return undefined
    return fingerprint(answer, decodeText(answer.bytes, answer.headers.get('content-type')))
  }

  #request(
    url: string,
    method: 'GET' | 'HEAD',
    maxBytes: number,
    accept: string,
  ): Promise<CappedResponse | FetchFailure | { readonly stopped: StopReason }> {
    return this.#concurrency.run(async () => {
      const stopped = this.budget.takeRequest()
      if (stopped) return { stopped }
      const { fetch, headers, timeoutMs, maxRedirects, signal } = this.#policy
      const answer = await fetchCapped(url, {
        fetch,
        method,
        headers: { accept, ...headers },
        timeoutMs: Math.ceil(Math.min(timeoutMs, this.budget.remainingMs)),
        maxBytes: Math.min(maxBytes, this.budget.remainingBytes),
        maxHtmlBytes: MAX_HTML_BYTES,
        maxRedirects,
        takeRequest: () => this.budget.takeRequest() === undefined,
        signal,
      })
      this.#account(answer)
      return answer
    })
  }

  #account(answer: CappedResponse | FetchFailure): void {
    if ('failure' in answer) return
    this.budget.addBytes(answer.bytes.byteLength)
    const retryAfter = answer.headers.get('retry-after')
    if (answer.status !== 429 && !(answer.status === 503 && retryAfter !== null)) return
    const waitMs = retryAfter === null ? null : parseRetryAfter(retryAfter, Date.now())
    this.budget.rateLimited(waitMs !== null && Number.isFinite(waitMs) ? Math.ceil(waitMs / 1000) : undefined)
  }

  #maxBytes(expected: Kind): number {
    return TEXT_KINDS.has(expected) ? this.#policy.maxTextBytes : this.#policy.maxDocumentBytes
  }
}

function acceptFor(text: boolean): string {
  return text ? ACCEPT_TEXT : ACCEPT_JSON
}

function unasked(kind: Kind, reason: StopReason): Examined {
  return { finding: { kind, state: 'inconclusive', reasons: [reason], warnings: [] }, unasked: true }
}

async function controlsOf(
  canaries: ReadonlyMap<PathShape, Promise<Fingerprint | undefined>>,
  shape: PathShape,
): Promise<Controls> {
  const all = await Promise.all(canaries.values())
  return { ofShape: await canaries.get(shape), all: all.filter((control) => control !== undefined) }
}

function randomText(random: () => number): string {
  return Array.from({ length: 16 }, () => Math.floor(random() * 36).toString(36)).join('')
}
