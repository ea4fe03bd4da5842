import { isAadpClientError } from '@doorplate/aadp-client'
import { discover } from '@doorplate/aadp-client/v0.1'

export async function smoke(): Promise<boolean> {
  const fetch = (): Promise<Response> => Promise.resolve(new Response('none', { status: 404 }))
  const outcome: unknown = await discover('https://books.test', { fetch }).catch((error: unknown) => error)
  return isAadpClientError(outcome)
}
