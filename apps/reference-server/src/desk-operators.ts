import type { Authenticate } from '@doorplate/ahp-converse/desk'
import { sameSecret } from '@doorplate/ahp-converse/server'
import type { DemoTokens } from './demo-tokens.js'

export const DESK_CHALLENGE = 'Basic realm="Desk", charset="UTF-8"'

/** Whoever knows the password of the desk is the operator whose name it gives (RFC 7617). */
export function createOperatorCheck({ operator }: Pick<DemoTokens, 'operator'>): Authenticate {
  return async ({ header }) => {
    const [, encoded = ''] = /^basic +([a-z0-9+/=]+)$/i.exec(header('authorization') ?? '') ?? []
    const [, name = '', password = ''] = /^([^:]{0,64}):(.*)$/s.exec(decoded(encoded)) ?? []
    return (await sameSecret(password, operator)) ? { id: name === '' ? 'operator' : name } : null
  }
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8')
}
