import { discover, isAadpClientError } from '@doorplate/aadp-client'

export async function smoke(): Promise<boolean> {
  const fetch = (): Promise<Response> => Promise.resolve(new Response('none', { status: 404 }))
  const outcome: unknown = await discover('https://books.test', { fetch }).catch((error: unknown) => error)
  return isAadpClientError(outcome)
}
