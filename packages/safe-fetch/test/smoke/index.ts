import { classifyAddress, isSafeFetchError, safeFetch } from '@doorplate/safe-fetch'

export async function smoke(): Promise<boolean> {
  const outcome: unknown = await safeFetch('http://127.0.0.1/').catch((error: unknown) => error)
  return isSafeFetchError(outcome) && classifyAddress('10.0.0.1') !== classifyAddress('1.1.1.1')
}
