import { createJwtVerifier } from '@doorplate/ahp-converse/jwt'

export function smoke(): boolean {
  const verify = createJwtVerifier({
    keys: { keys: [] },
    issuer: 'https://issuer.test',
    audience: 'https://shelf.test',
  })
  return typeof verify === 'function'
}
