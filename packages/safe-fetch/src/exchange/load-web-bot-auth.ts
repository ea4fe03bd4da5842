export interface WebBotAuth {
  readonly signatures: typeof import('web-bot-auth')
  readonly crypto: typeof import('web-bot-auth/crypto')
}

/**
 * The library that signs, which users install who sign. A bundler that does not find it leaves an import that can fail where it
 * is, because the failure is handled there.
 */
export async function loadWebBotAuth(): Promise<WebBotAuth> {
  const [signatures, crypto] = await Promise.all([
    import('web-bot-auth').catch(rethrow),
    import('web-bot-auth/crypto').catch(rethrow),
  ])
  return { signatures, crypto }
}

function rethrow(error: unknown): never {
  throw error
}
