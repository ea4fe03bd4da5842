/** What answers in this process, as it answers on the network. */
export type Answerer = (request: Request) => Promise<Response>

/** A request and what was answered to it. */
export interface Exchange {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: string | undefined
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  readonly bytes: number
  readonly durationMs: number
}

export interface ExchangeRequest {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Asks a face of this server what an agent would ask it, and keeps both sides. */
export async function exchange(
  answer: Answerer,
  { method = 'GET', path, headers = {}, body }: ExchangeRequest,
  { origin }: { readonly origin: string },
): Promise<Exchange> {
  const startedAt = performance.now()
  const request = new Request(origin + path, { method, headers, ...(body === undefined ? {} : { body }) })
  const response = await answer(request)
  const text = await response.text()
  return {
    ...{ method, path, requestHeaders: headers, requestBody: body },
    ...{ status: response.status, headers: [...response.headers] },
    ...{ body: text, bytes: Buffer.byteLength(text), durationMs: performance.now() - startedAt },
  }
}

/** The value of a field of the answer. */
export function fieldOf({ headers }: Pick<Exchange, 'headers'>, name: string): string | undefined {
  return headers.find(([other]) => other === name)?.[1]
}
