import { createSafeFetch } from '@doorplate/safe-fetch'

/** Who brings parcels, and knows where they are. */
export interface Carrier {
  /** Rejects when the carrier cannot be reached, or says what makes no sense. */
  track(parcel: string, options: { readonly signal: AbortSignal }): Promise<{ readonly status: string }>
  close(): Promise<void>
}

const MAX_RESPONSE_BYTES = 65_536
const MAX_STATUS_CHARACTERS = 200

/** One that answers `GET` of its URL, with the number of a parcel for `{number}`, by JSON with a `status`. */
export function createCarrier(url: string): Carrier {
  // Whoever runs this site says which host it is; it may be one of their own network.
  const { host } = new URL(url)
  const fetch = createSafeFetch({ maxResponseBytes: MAX_RESPONSE_BYTES, dangerouslyAllow: [host] })
  return {
    async track(parcel, { signal }) {
      const response = await fetch(url.replaceAll('{number}', encodeURIComponent(parcel)), {
        headers: { accept: 'application/json' },
        redirect: 'error',
        signal,
      })
      if (!response.ok) throw new Error(`The carrier answered with status ${String(response.status)}.`)
      return { status: statusIn(await response.json()) }
    },
    close: () => fetch.close(),
  }
}

/** Theirs, not ours: one line of text, and not a long one. */
function statusIn(answer: unknown): string {
  const status = Object(answer) as { readonly status?: unknown }
  if (typeof status.status !== 'string') throw new Error('The carrier answered without a status.')
  return status.status.replace(/\s+/g, ' ').slice(0, MAX_STATUS_CHARACTERS)
}
