import type { Kind } from '../resources/kind.js'
import { Budget, type StopReason } from './budget.js'
import { Concurrency } from './concurrency.js'
import { OriginControls, type Controls } from './controls.js'
import { fetchCapped, type CappedResponse, type FetchFailure } from './fetch-capped.js'
import { judge, judgeFailure, judgeHead, type Examined } from './judge.js'
import { canaryPath, pathShape } from './probe-list.js'
import type { ProbePolicy } from './probe-options.js'

/** Of a page that is no answer only the beginning is read. */
const MAX_HTML_BYTES = 16_384

/** The least that RFC 9309 asks of crawlers (2.5): the group that counts may be the last. */
const MAX_ROBOTS_BYTES = 512_000

const ACCEPT_TEXT = 'text/markdown, text/plain;q=0.9, */*;q=0.1'
/** Not the type of the AHP manifest, for which a site may answer any path with it, also one that cannot exist. */
const ACCEPT_JSON = 'application/json, application/linkset+json, */*;q=0.1'

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

/** Examines resources within one budget, each URL once, beside the answers of their origin to paths that cannot exist. */
export class Prober {
  readonly budget: Budget
  readonly #policy: ProbePolicy
  readonly #concurrency: Concurrency
  readonly #examined = new Map<string, Promise<Examined>>()
  readonly #controls = new Map<string, OriginControls>()

  constructor(policy: ProbePolicy) {
    this.#policy = policy
    this.#concurrency = new Concurrency(policy.concurrency)
    this.budget = new Budget(policy)
  }

  /** What there is at a URL that is expected to be of a kind. Rejects only when the caller aborts. */
  examine(url: string, expected: Kind, maxBytes: number = this.#maxBytes(expected)): Promise<Examined> {
    const known = this.#examined.get(url)
    if (known) return known
    const examined =
      this.#policy.method === 'HEAD'
        ? this.#examineHead(url, expected)
        : this.#examine(url, expected, maxBytes)
    this.#examined.set(url, examined)
    return examined
  }

  async #examine(url: string, expected: Kind, maxBytes: number): Promise<Examined> {
    const controls = this.#controlsOf(new URL(url).origin)
    const request = this.#request(url, 'GET', maxBytes, acceptFor(TEXT_KINDS.has(expected)))
    const shape = pathShape(url)
    if (shape === 'bare') controls.watchBare(request)
    const answer = await request
    if ('stopped' in answer) return unasked(expected, answer.stopped)
    const judgeBy = (given: Controls): Examined =>
      'failure' in answer
        ? { finding: judgeFailure(answer, expected, given) }
        : judge(answer, expected, given)
    if (shape !== 'bare') return judgeBy(await controls.of(shape))
    const bare = await controls.ofBareAnswers(answer)
    const examined = judgeBy(bare.controls)
    const { state } = examined.finding
    const isSettled = state === 'absent' || state === 'error' || (state === 'verified' && bare.isDistinct)
    return bare.controls.ofShape || isSettled ? examined : judgeBy(await controls.of('bare'))
  }

  async #examineHead(url: string, expected: Kind): Promise<Examined> {
    const answer = await this.#request(url, 'HEAD', 0, acceptFor(TEXT_KINDS.has(expected)))
    if ('stopped' in answer) return unasked(expected, answer.stopped)
    return { finding: 'failure' in answer ? judgeFailure(answer, expected) : judgeHead(answer, expected) }
  }

  #controlsOf(origin: string): OriginControls {
    const known = this.#controls.get(origin)
    if (known) return known
    const token = `${randomText(this.#policy.random)}-canary`
    const controls = new OriginControls((shape) =>
      this.#request(
        origin + canaryPath(shape, token),
        'GET',
        this.#policy.maxTextBytes,
        acceptFor(shape === 'text'),
      ),
    )
    this.#controls.set(origin, controls)
    return controls
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
        maxBytes,
        takeBytes: (wanted) => this.budget.takeBytes(wanted),
        maxHtmlBytes: MAX_HTML_BYTES,
        maxRedirects,
        takeRequest: () => this.budget.takeRequest() === undefined,
        signal,
      })
      if ('failure' in answer) return answer
      this.budget.heed(answer)
      return answer.truncated && !this.budget.hasBytes ? { stopped: 'bytes-exhausted' } : answer
    })
  }

  #maxBytes(expected: Kind): number {
    const { maxTextBytes, maxDocumentBytes } = this.#policy
    if (expected === 'robots-txt') return Math.min(MAX_ROBOTS_BYTES, maxDocumentBytes)
    return TEXT_KINDS.has(expected) ? maxTextBytes : maxDocumentBytes
  }
}

function acceptFor(text: boolean): string {
  return text ? ACCEPT_TEXT : ACCEPT_JSON
}

function unasked(kind: Kind, reason: StopReason): Examined {
  return { finding: { kind, state: 'inconclusive', reasons: [reason], warnings: [] }, unasked: true }
}

function randomText(random: () => number): string {
  return Array.from({ length: 16 }, () => Math.floor(random() * 36).toString(36)).join('')
}
