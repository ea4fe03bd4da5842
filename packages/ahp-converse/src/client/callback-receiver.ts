import { isAhpMessageError, parseResponse } from '@doorplate/ahp-manifest/messages'
import { invalidOption } from '../converse-error.js'
import { checkNames, functionOption, integerOption } from './check-option.js'
import { collectBody } from './collect-body.js'
import { Mailbox } from './mailbox.js'
import { parseJson } from './parse-json.js'
import type { ReadResponse } from './read-response.js'
import { WebhookVerifier } from './webhook-verifier.js'

/** Options of `createCallbackReceiver`. */
export interface CallbackReceiverOptions {
  /** Where the site can reach `handleRequest`: an absolute https URL (http only for tests on this machine). */
  readonly url: string
  /** Secrets agreed with the site, as Standard Webhooks writes them (`whsec_` and Base64); several while one replaces another. */
  readonly secrets: readonly string[]
  /** How far the clocks may be apart, and how late a delivery may be. Default 300. */
  readonly toleranceSeconds?: number
  /** Bytes of a delivery. Default 1 MiB. */
  readonly maxBodyBytes?: number
  /** Delivery ids remembered to drop repetitions. When more arrive in the tolerated time, the older ones are refused. Default 10,000. */
  readonly maxRememberedIds?: number
  /** Results kept until somebody asks for them; then the oldest are dropped. Default 1,000. */
  readonly maxKeptResults?: number
  /** The clock, in milliseconds. Default `Date.now`. */
  readonly now?: () => number
}

/** Takes the results of accepted work that sites post. */
export interface CallbackReceiver {
  readonly url: string
  /** A Fetch handler: 204 for a delivery that is taken or was taken before, 4xx for what is not genuine or not usable. */
  handleRequest(request: Request): Promise<Response>
  /** The result of a job when it is delivered; each result is given once. */
  result(jobId: string, options?: { readonly signal?: AbortSignal }): Promise<ReadResponse>
}

const NAMES = [
  'url',
  'secrets',
  'toleranceSeconds',
  'maxBodyBytes',
  'maxRememberedIds',
  'maxKeptResults',
  'now',
] satisfies readonly (keyof CallbackReceiverOptions)[]

/** Deliveries are verified by Standard Webhooks: signature, time, and an id that is taken once. Throws `invalid_option`. */
export function createCallbackReceiver(options: CallbackReceiverOptions): CallbackReceiver {
  checkNames(options, NAMES)
  if (!URL.canParse(options.url) || !/^https?:$/.test(new URL(options.url).protocol))
    throw invalidOption('url', 'must be an absolute http or https URL')
  const maxBodyBytes = integerOption('maxBodyBytes', options.maxBodyBytes, 1_048_576, { minimum: 1 })
  const verifier = new WebhookVerifier(options.secrets, {
    toleranceSeconds: integerOption('toleranceSeconds', options.toleranceSeconds, 300, { minimum: 1 }),
    maxRememberedIds: integerOption('maxRememberedIds', options.maxRememberedIds, 10_000, { minimum: 1 }),
    now: functionOption('now', options.now, Date.now),
  })
  const results = new Mailbox<ReadResponse>(
    integerOption('maxKeptResults', options.maxKeptResults, 1_000, { minimum: 1 }),
  )
  return {
    url: options.url,
    async handleRequest(request) {
      if (request.method !== 'POST') return refusal(405, { allow: 'POST' })
      const body = await bodyOf(request, maxBodyBytes)
      if (typeof body === 'number') return refusal(body)
      const verdict = verifier.verify(body, request.headers)
      if (verdict === 'refused') return refusal(401)
      if (verdict === 'repeated') return new Response(null, { status: 204 })
      const read = readDelivery(body)
      if (read === undefined) return refusal(400)
      const { response } = read
      const isResult = response.status !== 'pending' && response.status !== 'accepted'
      const jobId = 'session_id' in response ? response.session_id : undefined
      if (isResult && typeof jobId === 'string') results.put(jobId, read)
      return new Response(null, { status: 204 })
    },
    result: (jobId, { signal } = {}) => results.take(jobId, signal),
  }
}

/** The bytes, or the status that refuses them: 400 where they were read before or break off. */
async function bodyOf({ body }: Request, maxBytes: number): Promise<Uint8Array | 400 | 413> {
  try {
    return (await collectBody(body, maxBytes)) ?? 413
  } catch {
    return 400
  }
}

function refusal(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers })
}

function readDelivery(body: Uint8Array): ReadResponse | undefined {
  try {
    return { ...parseResponse(parseJson(body)), httpStatus: 200, rateLimit: undefined }
  } catch (error) {
    if (isAhpMessageError(error)) return undefined
    throw error
  }
}
