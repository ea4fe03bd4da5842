import { discover, SOURCE_NAMES } from '@doorplate/agent-discovery'

export async function smoke(): Promise<boolean> {
  const fetch = (): Promise<Response> => Promise.resolve(new Response('none', { status: 404 }))
  const { resources } = await discover('https://books.test', { fetch })
  return resources.every(({ state }) => state !== 'verified') && SOURCE_NAMES.includes('probe')
}
