import {
  isSafeFetchError,
  type SafeFetch,
  type SafeRequestInit,
  type SafeResponse,
} from '@doorplate/safe-fetch'

export const STAGES = ['find', 'read', 'ask', 'aadp', 'ahp'] as const
export type Stage = (typeof STAGES)[number]

/** One request of an inspection and what became of it. */
export interface RecordedRequest {
  readonly stage: Stage
  readonly method: string
  readonly url: string
  /** Since the inspection began. */
  readonly startMs: number
  readonly durationMs: number
  readonly status?: number
  readonly mediaType?: string
  /** Of the body, decoded, or as the site says; absent where neither is known. */
  readonly bytes?: number
  /** The code of the error, where no response came. */
  readonly failure?: string
}

export interface Recorder {
  readonly requests: readonly RecordedRequest[]
  /** The same fetch for one stage; what goes through it is recorded. */
  during(stage: Stage): SafeFetch
}

/** More are sent, but not remembered. */
const MAX_REQUESTS = 1500
const MAX_URL_LENGTH = 512

/** Records what goes through a fetch, on a clock in milliseconds. */
export function createRecorder(fetch: SafeFetch, { now }: { readonly now: () => number }): Recorder {
  const requests: RecordedRequest[] = []
  const beganAt = now()

  async function recorded<Result>(
    call: { readonly stage: Stage; readonly method: string; readonly url: string },
    send: () => Promise<Result>,
    outcomeOf: (result: Result) => Pick<RecordedRequest, 'status' | 'mediaType' | 'bytes'>,
  ): Promise<Result> {
    const startedAt = now()
    const note = (outcome: Pick<RecordedRequest, 'status' | 'mediaType' | 'bytes' | 'failure'>): void => {
      if (requests.length >= MAX_REQUESTS) return
      const { stage, method, url } = call
      const times = { startMs: round(startedAt - beganAt), durationMs: round(now() - startedAt) }
      requests.push({ stage, method, url: url.slice(0, MAX_URL_LENGTH), ...times, ...outcome })
    }
    try {
      const result = await send()
      note(outcomeOf(result))
      return result
    } catch (error) {
      note({ failure: isSafeFetchError(error) ? error.code : 'aborted' })
      throw error
    }
  }

  return {
    requests,
    during(stage) {
      const plain: typeof globalThis.fetch = (input, init) => {
        const url = input instanceof Request ? input.url : String(input)
        const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
        return recorded(
          { stage, method, url },
          () => fetch(input, init),
          ({ status, headers }) => ({
            status,
            ...mediaTypeIn(headers.get('content-type')),
            ...lengthIn(headers.get('content-length')),
          }),
        )
      }
      const request = (url: string | URL, init: SafeRequestInit = {}): Promise<SafeResponse> =>
        recorded(
          { stage, method: init.method ?? 'GET', url: String(url) },
          () => fetch.request(url, init),
          ({ status, headers, body }) => ({
            status,
            ...mediaTypeIn(headers['content-type']),
            bytes: body.byteLength,
          }),
        )
      return Object.assign(plain, { request, check: fetch.check, close: fetch.close })
    },
  }
}

function mediaTypeIn(contentType: string | null | undefined): { readonly mediaType?: string } {
  const [mediaType = ''] = contentType?.split(';') ?? []
  return mediaType === '' ? {} : { mediaType: mediaType.trim().slice(0, 80) }
}

/** The body is read by whoever asked: how long it is, is what the site says. */
function lengthIn(contentLength: string | null): { readonly bytes?: number } {
  return /^\d{1,9}$/.test(contentLength ?? '') ? { bytes: Number(contentLength) } : {}
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}
