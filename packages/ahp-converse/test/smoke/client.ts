import { isConverseError, visit } from '@doorplate/ahp-converse/client'

export async function smoke(): Promise<boolean> {
  const fetch = (): Promise<Response> => Promise.resolve(new Response('none', { status: 404 }))
  const outcome: unknown = await visit('https://shelf.test', { fetch }).catch((error: unknown) => error)
  return isConverseError(outcome)
}
